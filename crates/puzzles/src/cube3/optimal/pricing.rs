//! The children of a node: their bytes and where their entries lie, all at once, so that memory is asked before it is needed.

use untumble_search::moves::MoveSet;

use super::body::{Body, Seen, Steps};
use super::lanes::is_quarter;
use super::reader::{Place, Reader};
use crate::cube3::symmetry::TURNS;

/// A child, or the cube that takes it back.
#[derive(Clone, Copy)]
pub(super) struct Child {
    pub(super) body: Body,
    pub(super) place: Place,
    /// Halfway to the place: what the bytes say, and the corners' arrangement.
    seen: Seen,
    arrangement: u32,
}

/// Children by turn; those of turns that were not asked for are old.
pub(super) struct Children(pub(super) [Child; TURNS]);

impl Children {
    pub(super) fn new() -> Children {
        let body = Body([0; 32]);
        let seen = Seen::of(&body);
        Children([Child { body, place: Place::default(), seen, arrangement: 0 }; TURNS])
    }
}

/// Which of the two cubes of a node is turned.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Side {
    /// The cube.
    Ahead,
    /// The cube that takes it back.
    Behind,
}

/// What pricing needs.
pub(super) struct Ground {
    pub(super) reader: Reader,
    pub(super) steps: Steps,
    price: Price,
}

/// Makes the children of a body by some turns and asks for their entries.
type Price = fn(&Ground, &Body, MoveSet, u32, Side, &mut Children);

impl Ground {
    pub(super) fn new(reader: Reader) -> Ground {
        Ground { reader, steps: Steps::new(), price: fastest() }
    }

    /// The same, byte by byte.
    #[cfg(test)]
    pub(super) fn plain(self) -> Ground {
        Ground { price: plain, ..self }
    }

    /// Makes the children of a body whose pieces are in an odd order where `parity` is 1, and asks for their entries.
    #[inline(always)]
    pub(super) fn price(&self, body: &Body, turns: MoveSet, parity: u32, side: Side, out: &mut Children) {
        (self.price)(self, body, turns, parity, side, out);
    }
}

/// Byte by byte.
fn plain(ground: &Ground, body: &Body, turns: MoveSet, parity: u32, side: Side, out: &mut Children) {
    for turn in turns {
        let turn = turn.index();
        let body = match side {
            Side::Ahead => ground.steps.ahead(body, turn),
            Side::Behind => ground.steps.behind(body, turn),
        };
        let place = ground.reader.entry(&Seen::of(&body), parity ^ u32::from(is_quarter(turn)));
        ground.reader.prefetch(place);
        out.0[turn] = Child { body, place, ..out.0[turn] };
    }
}

fn fastest() -> Price {
    #[cfg(target_arch = "x86_64")]
    if let Some(price) = vectors::price() {
        return price;
    }
    plain
}

#[cfg(target_arch = "x86_64")]
mod vectors {
    //! All bytes at once.

    use std::arch::x86_64::*;

    use super::*;
    use crate::cube3::optimal::body::TURNED;

    /// Pricing by vectors, if this machine has them.
    pub(super) fn price() -> Option<Price> {
        let fits = is_x86_feature_detected!("avx2")
            && is_x86_feature_detected!("bmi1")
            && is_x86_feature_detected!("bmi2")
            && is_x86_feature_detected!("popcnt");
        if !fits {
            return None;
        }
        Some(|ground, body, turns, parity, side, out| {
            // SAFETY: the machine has what these are compiled for, as was just found out; this function is made nowhere else.
            unsafe {
                match side {
                    Side::Ahead => run::<true>(ground, body, turns, parity, out),
                    Side::Behind => run::<false>(ground, body, turns, parity, out),
                }
            }
        })
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

    #[inline]
    #[target_feature(enable = "avx2,bmi1,bmi2,popcnt")]
    fn seen(bytes: __m256i) -> Seen {
        // Bit n of every byte, by way of the highest.
        let two = _mm256_movemask_epi8(_mm256_slli_epi16::<5>(bytes)) as u32;
        let three = _mm256_movemask_epi8(_mm256_slli_epi16::<4>(bytes)) as u32;
        let four = _mm256_movemask_epi8(_mm256_slli_epi16::<3>(bytes)) as u32;
        let five = _mm256_movemask_epi8(_mm256_slli_epi16::<2>(bytes)) as u32;
        let tetrad = two >> 16 & 0xff;
        let places = _pext_u64(_mm256_extract_epi64::<2>(bytes) as u64, 0x0303_0303_0303_0303) as u32;
        let lower = _pdep_u32(tetrad, 0x5555);
        let both = lower | lower << 1;
        Seen {
            second: two & 0xfff,
            last: three & 0xfff,
            flipped: four & 0xfff,
            tetrad,
            twists: four >> 16 & 0x7f | (five >> 16 & 0x7f) << 7,
            orders: [_pext_u32(places, !both), _pext_u32(places, both)],
        }
    }

    #[target_feature(enable = "avx2,bmi1,bmi2,popcnt")]
    fn run<const AHEAD: bool>(ground: &Ground, body: &Body, turns: MoveSet, parity: u32, out: &mut Children) {
        let (steps, reader) = (&ground.steps, &ground.reader);
        let bytes = load(body);
        let wrap = load(&steps.wrap);
        let turned = _mm256_and_si256(bytes, _mm256_set1_epi8(TURNED as i8));
        for turn in turns {
            let turn = turn.index();
            if turn >= TURNS {
                return;
            }
            let moved = if AHEAD {
                _mm256_add_epi8(_mm256_shuffle_epi8(bytes, load(&steps.from[turn])), load(&steps.turn[turn]))
            } else {
                _mm256_add_epi8(_mm256_shuffle_epi8(load(&steps.renamed[turn]), bytes), turned)
            };
            let moved = _mm256_min_epu8(moved, _mm256_sub_epi8(moved, wrap));
            let child = &mut out.0[turn];
            store(moved, &mut child.body);
            child.seen = seen(moved);
            child.arrangement = reader.arrangement(&child.seen);
        }
        // What was asked for has arrived when the first is looked at again.
        for turn in turns {
            let turn = turn.index();
            if turn >= TURNS {
                return;
            }
            let child = &mut out.0[turn];
            let half = reader.half(child.arrangement, &child.seen, parity ^ u32::from(turn % 3 != 1));
            child.place = reader.place(&half, _pext_u32(half.first, !half.second));
            reader.prefetch(child.place);
        }
    }
}
