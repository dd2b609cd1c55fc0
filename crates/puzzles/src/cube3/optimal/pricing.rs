//! The children of a node: where their entries lie, all at once, so that memory is asked before it is needed.

use untumble_search::moves::MoveSet;

use super::body::{Body, Carrying, Seen, Steps};
use super::reader::{Place, Reader};
use crate::cube3::symmetry::{Group, TURNS, is_quarter};

/// The entries of children by turn; those of turns that were not asked for are old.
pub(super) type Places = [Place; TURNS];

/// Which of the two cubes of a node is turned.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Side {
    /// The cube.
    Normal,
    /// The cube that takes it back.
    Inverse,
}

/// What pricing needs.
pub(super) struct Ground {
    pub(super) reader: Reader,
    pub(super) steps: Steps,
    carrying: Carrying,
    means: Means,
}

/// How it is done on this machine.
#[derive(Clone, Copy)]
struct Means {
    price: fn(&Ground, &Body, MoveSet, u32, Side, &mut Places),
    step: fn(&Steps, &Body, usize, Side) -> Body,
}

impl Ground {
    pub(super) fn new(reader: Reader, group: &Group) -> Ground {
        let means = Means::fastest(reader.kind.bits());
        Ground { reader, steps: Steps::new(), carrying: Carrying::new(group), means }
    }

    /// Bytes it takes, but for the table.
    pub(super) fn bytes(&self) -> u64 {
        self.reader.bytes() + size_of::<Ground>() as u64
    }

    /// The same, byte by byte.
    #[cfg(test)]
    pub(super) fn plain(self) -> Ground {
        Ground { means: Means::PLAIN, ..self }
    }

    /// Finds the entries of the children of a body, whose pieces are in an odd order where `parity` is 1, and asks for them.
    #[inline(always)]
    pub(super) fn price(&self, body: &Body, turns: MoveSet, parity: u32, side: Side, places: &mut Places) {
        (self.means.price)(self, body, turns, parity, side, places);
    }

    /// One child.
    #[inline(always)]
    pub(super) fn step(&self, body: &Body, turn: usize, side: Side) -> Body {
        (self.means.step)(&self.steps, body, turn, side)
    }
}

impl Means {
    const PLAIN: Means = Means { price: plain, step: plain_step };

    /// For tables that know as much as these bits of [`super::kind::Kind::bits`] say.
    fn fastest(_kind: u8) -> Means {
        #[cfg(target_arch = "x86_64")]
        if let Some(means) = vectors::means(_kind) {
            return means;
        }
        Means::PLAIN
    }
}

/// Byte by byte.
fn plain(ground: &Ground, body: &Body, turns: MoveSet, parity: u32, side: Side, places: &mut Places) {
    for turn in turns {
        let turn = turn.index();
        let child = plain_step(&ground.steps, body, turn, side);
        let place = ground.reader.entry(&Seen::of(&child), parity ^ u32::from(is_quarter(turn)));
        ground.reader.prefetch(place);
        places[turn] = place;
    }
}

fn plain_step(steps: &Steps, body: &Body, turn: usize, side: Side) -> Body {
    match side {
        Side::Normal => steps.ahead(body, turn),
        Side::Inverse => steps.behind(body, turn),
    }
}

#[cfg(target_arch = "x86_64")]
mod vectors {
    //! All bytes at once.

    use std::arch::x86_64::*;

    use untumble_search::moves::Move;

    use super::*;
    use crate::cube3::optimal::body::{Sixteen, TURN, TURNED};
    use crate::cube3::optimal::kind::{FLIPS, THIRDS, lane};
    use crate::cube3::optimal::layout::STRIPES;
    use crate::cube3::symmetry::QUARTERS;

    /// Vectors, if this machine has them.
    pub(super) fn means(kind: u8) -> Option<Means> {
        let fits = is_x86_feature_detected!("avx2")
            && is_x86_feature_detected!("bmi1")
            && is_x86_feature_detected!("bmi2")
            && is_x86_feature_detected!("popcnt");
        if !fits {
            return None;
        }
        Some(match kind {
            0 => compiled::<0>(),
            1 => compiled::<1>(),
            2 => compiled::<2>(),
            3 => compiled::<3>(),
            _ => compiled::<6>(),
        })
    }

    /// Compiled for one kind of tables; only to be used where [`means`] found that the machine has what it takes.
    fn compiled<const KIND: u8>() -> Means {
        Means {
            price: |ground, body, turns, parity, side, places| {
                // SAFETY: the machine has what this is compiled for, as `means` found out before it made this.
                unsafe { price::<KIND>(ground, body, turns, parity, side, places) }
            },
            step: |steps, body, turn, side| {
                // SAFETY: the same.
                unsafe { step(steps, body, turn, side) }
            },
        }
    }

    #[inline]
    #[target_feature(enable = "avx2,bmi1,bmi2,popcnt")]
    fn load(body: &Body) -> __m256i {
        // SAFETY: a body is the 32 bytes read, aligned to as many.
        unsafe { _mm256_load_si256(body.0.as_ptr().cast()) }
    }

    #[inline]
    #[target_feature(enable = "avx2,bmi1,bmi2,popcnt")]
    fn store(bytes: __m256i, body: &mut Body) {
        // SAFETY: a body is the 32 bytes written, aligned to as many.
        unsafe { _mm256_store_si256(body.0.as_mut_ptr().cast(), bytes) }
    }

    /// The number of the corners' arrangement.
    #[inline]
    #[target_feature(enable = "avx2,bmi1,bmi2,popcnt")]
    fn arrangement<const KIND: u8>(reader: &Reader, bytes: __m256i) -> usize {
        let corners = _mm256_extracti128_si256::<1>(bytes);
        // Bit n of every byte, by way of the highest.
        let tetrad = _mm_movemask_epi8(_mm_slli_epi16::<5>(corners)) as u32 & 0xff;
        let once = _mm_movemask_epi8(_mm_slli_epi16::<3>(corners)) as u32 & 0x7f;
        let twice = _mm_movemask_epi8(_mm_slli_epi16::<2>(corners)) as u32 & 0x7f;
        let orders = if KIND & THIRDS == 0 {
            [0; 2]
        } else {
            let places = _pext_u64(_mm_cvtsi128_si64(corners) as u64, 0x0303_0303_0303_0303) as u32;
            let lower = _pdep_u32(tetrad, 0x5555);
            let both = lower | lower << 1;
            [_pext_u32(places, !both), _pext_u32(places, both)]
        };
        reader.arrangement::<KIND>(tetrad, once | twice << 7, orders)
    }

    #[inline]
    #[target_feature(enable = "avx2,bmi1,bmi2,popcnt")]
    fn turned<const AHEAD: bool>(steps: &Steps, bytes: __m256i, turn: usize) -> __m256i {
        let moved = if AHEAD {
            _mm256_add_epi8(_mm256_shuffle_epi8(bytes, load(&steps.from[turn])), load(&steps.turn[turn]))
        } else {
            let kept = _mm256_and_si256(bytes, _mm256_set1_epi8(TURNED as i8));
            _mm256_add_epi8(_mm256_shuffle_epi8(load(&steps.renamed[turn]), bytes), kept)
        };
        _mm256_min_epu8(moved, _mm256_sub_epi8(moved, load(&steps.wrap)))
    }

    #[target_feature(enable = "avx2,bmi1,bmi2,popcnt")]
    fn step(steps: &Steps, body: &Body, turn: usize, side: Side) -> Body {
        let bytes = load(body);
        let mut child = *body;
        match side {
            Side::Normal => store(turned::<true>(steps, bytes, turn), &mut child),
            Side::Inverse => store(turned::<false>(steps, bytes, turn), &mut child),
        }
        child
    }

    #[target_feature(enable = "avx2,bmi1,bmi2,popcnt")]
    fn price<const KIND: u8>(
        ground: &Ground,
        body: &Body,
        turns: MoveSet,
        parity: u32,
        side: Side,
        places: &mut Places,
    ) {
        match side {
            Side::Normal => run::<KIND, true>(ground, body, turns, parity, places),
            Side::Inverse => run::<KIND, false>(ground, body, turns, parity, places),
        }
    }

    #[inline]
    #[target_feature(enable = "avx2,bmi1,bmi2,popcnt")]
    fn sixteen(bytes: &Sixteen) -> __m128i {
        // SAFETY: these are the 16 bytes read, aligned to as many.
        unsafe { _mm_load_si128(bytes.0.as_ptr().cast()) }
    }

    /// The entry, given the arrangement of the corners: edges are carried as bytes by the symmetry to look by.
    #[inline]
    #[target_feature(enable = "avx2,bmi1,bmi2,popcnt")]
    fn located<const KIND: u8>(
        ground: &Ground,
        bytes: __m256i,
        arrangement: usize,
        parity: u32,
        turn: usize,
    ) -> Place {
        let (reader, carrying) = (&ground.reader, &ground.carrying);
        let (line, symmetry) = reader.member(arrangement);
        let mut edges = _mm256_castsi256_si128(bytes);
        if KIND & FLIPS != 0 {
            // From turned to flipped.
            let odd =
                _mm_and_si128(_mm_shuffle_epi8(sixteen(&carrying.slices), edges), sixteen(&carrying.odd));
            let even = _mm_cmpeq_epi8(odd, _mm_setzero_si128());
            edges = _mm_xor_si128(edges, _mm_andnot_si128(even, _mm_set1_epi8(TURN as i8)));
        }
        let edges = _mm_shuffle_epi8(edges, sixteen(&carrying.from[symmetry]));
        let seconds = _mm_shuffle_epi8(sixteen(&carrying.marks[symmetry]), edges);
        let firsts = _mm_slli_epi16::<1>(seconds);
        let set = |marks: __m128i| _mm_movemask_epi8(marks) as u32 & 0xfff;
        let flips = if KIND & FLIPS == 0 {
            0
        } else {
            let flipped = _mm_slli_epi16::<3>(edges);
            let odd = |marks: __m128i| set(_mm_and_si128(marks, flipped)).count_ones() as usize & 1;
            odd(firsts) | odd(seconds) << 1
        };
        let lane = lane(KIND, (parity ^ QUARTERS >> turn) as usize & 1, flips);
        let second = set(seconds);
        let place = reader.place(line + (lane * STRIPES) as u32, second, _pext_u32(set(firsts), !second));
        reader.prefetch(place);
        place
    }

    #[inline]
    #[target_feature(enable = "avx2,bmi1,bmi2,popcnt")]
    fn run<const KIND: u8, const AHEAD: bool>(
        ground: &Ground,
        body: &Body,
        turns: MoveSet,
        parity: u32,
        places: &mut Places,
    ) {
        let (steps, reader) = (&ground.steps, &ground.reader);
        let bytes = load(body);
        // The arrangements hardly fit the near caches: all are asked for before the first is looked at.
        let mut all = [(bytes, 0); TURNS];
        for turn in turns.into_iter().map(Move::index).take_while(|&turn| turn < TURNS) {
            let child = turned::<AHEAD>(steps, bytes, turn);
            let arrangement = arrangement::<KIND>(reader, child);
            reader.prefetch_member(arrangement);
            all[turn] = (child, arrangement);
        }
        for turn in turns.into_iter().map(Move::index).take_while(|&turn| turn < TURNS) {
            let (child, arrangement) = all[turn];
            places[turn] = located::<KIND>(ground, child, arrangement, parity, turn);
        }
    }
}
