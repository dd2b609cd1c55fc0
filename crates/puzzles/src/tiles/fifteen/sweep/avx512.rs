//! Eight nodes to a vector, four vectors at a time.

use std::arch::x86_64::*;

use super::{BATCH, Expand, Stacks, Steps};

const VECTORS: usize = BATCH / 8;

/// The expansion by vectors, if this machine has them.
pub(super) fn expand() -> Option<Expand> {
    if is_x86_feature_detected!("avx512f")
        && is_x86_feature_detected!("avx512dq")
        && is_x86_feature_detected!("popcnt")
        && is_x86_feature_detected!("bmi1")
    {
        Some(|steps, stacks, stack, count, tally| {
            // SAFETY: the machine has what `batch` is compiled for, as was just found out; this function is made nowhere else.
            unsafe { batch(steps, stacks, stack, count, tally) }
        })
    } else {
        None
    }
}

#[inline]
#[target_feature(enable = "avx512f,avx512dq,popcnt,bmi1")]
fn load(words: &[u64; 8]) -> __m512i {
    // SAFETY: eight words are the 64 bytes read, and need no alignment.
    unsafe { _mm512_loadu_si512(words.as_ptr().cast()) }
}

#[inline]
#[target_feature(enable = "avx512f,avx512dq,popcnt,bmi1")]
fn store(words: &mut [u64; 8], vector: __m512i) {
    // SAFETY: eight words are the 64 bytes written, and need no alignment.
    unsafe { _mm512_storeu_si512(words.as_mut_ptr().cast(), vector) }
}

/// Eight words from a place on.
#[inline(always)]
fn eight(words: &[u64], at: usize) -> &[u64; 8] {
    match words[at..at + 8].try_into() {
        Ok(eight) => eight,
        Err(_) => unreachable!("eight are eight"),
    }
}

#[inline(always)]
fn eight_mut(words: &mut [u64], at: usize) -> &mut [u64; 8] {
    match (&mut words[at..at + 8]).try_into() {
        Ok(eight) => eight,
        Err(_) => unreachable!("eight are eight"),
    }
}

/// A table of sixteen words, looked up by the lowest digit of each node.
#[derive(Clone, Copy)]
struct Table(__m512i, __m512i);

impl Table {
    #[inline]
    #[target_feature(enable = "avx512f,avx512dq,popcnt,bmi1")]
    fn new(words: &[u64; 16]) -> Table {
        Table(load(eight(words, 0)), load(eight(words, 8)))
    }

    #[inline]
    #[target_feature(enable = "avx512f,avx512dq,popcnt,bmi1")]
    fn at(self, nodes: __m512i) -> __m512i {
        _mm512_permutex2var_epi64(self.0, nodes, self.1)
    }
}

/// The words after move `M`: the tile from its digit to the digit where the gap was, as seen from where it is then.
#[inline]
#[target_feature(enable = "avx512f,avx512dq,popcnt,bmi1")]
fn children<const M: usize>(nodes: __m512i) -> __m512i {
    // The board seen from the gap's next cell, the tile's digit in its next place, the gap's step.
    let (board, tile, place, step) = match M {
        0 => (_mm512_rol_epi64::<16>(nodes), _mm512_srli_epi64::<32>(nodes), 15 << 16, -4),
        1 => (_mm512_rol_epi64::<4>(nodes), _mm512_srli_epi64::<56>(nodes), 15 << 4, -1),
        2 => (_mm512_ror_epi64::<4>(nodes), _mm512_slli_epi64::<56>(nodes), 15 << 60, 1),
        _ => (_mm512_ror_epi64::<16>(nodes), _mm512_slli_epi64::<32>(nodes), 15 << 48, 4),
    };
    /// The second where the first is 1, the third elsewhere.
    const CHOOSE: i32 = 0xca;
    let gaps = _mm512_add_epi64(nodes, _mm512_set1_epi64(step));
    let slid = _mm512_ternarylogic_epi64::<CHOOSE>(_mm512_set1_epi64(place), tile, board);
    _mm512_ternarylogic_epi64::<CHOOSE>(_mm512_set1_epi64(15), gaps, slid)
}

/// Which bit of a table's word is that of move `M`: 16 M and the tile it slides.
#[inline]
#[target_feature(enable = "avx512f,avx512dq,popcnt,bmi1")]
fn bits<const M: usize>(nodes: __m512i) -> __m512i {
    let digits = match M {
        0 => _mm512_srli_epi64::<48>(nodes),
        1 => _mm512_srli_epi64::<60>(nodes),
        2 => _mm512_srli_epi64::<4>(nodes),
        _ => _mm512_srli_epi64::<16>(nodes),
    };
    /// The first, or else both others.
    const OR_AND: i32 = 0xf8;
    _mm512_ternarylogic_epi64::<OR_AND>(_mm512_set1_epi64(16 * M as i64), digits, _mm512_set1_epi64(15))
}

/// Pushes the children by a move whose bits are set to the stack of their slack. Written out in `batch` for each move and last
/// move: a function is not inlined there, and passing sixteen vectors halves the speed.
macro_rules! push {
    ($m:literal, $nodes:ident, $taken:ident, $ways:ident, $stacks:ident, $level:expr) => {
        let to = $level + $m;
        let mut height = $stacks.heights[to];
        let out = &mut $stacks.nodes[to];
        for i in 0..VECTORS {
            let ways = _mm512_srlv_epi64($ways[i], bits::<$m>($nodes[i]));
            let pushed = _mm512_mask_test_epi64_mask($taken[i], ways, _mm512_set1_epi64(1));
            let packed = _mm512_maskz_compress_epi64(pushed, children::<$m>($nodes[i]));
            store(eight_mut(out, height), packed);
            height += pushed.count_ones() as usize;
        }
        $stacks.filled(to, height);
    };
}

/// Pushes the children by three moves.
macro_rules! spread {
    ([$($m:literal)*], $nodes:ident, $taken:ident, $near:ident, $farther:expr, $stacks:ident, $level:ident) => {
        if $level == 0 {
            $(push!($m, $nodes, $taken, $near, $stacks, 0);)*
        } else {
            let mut far = $nodes;
            for nodes in &mut far {
                *nodes = $farther.at(*nodes);
            }
            $(
                push!($m, $nodes, $taken, $near, $stacks, $level);
                push!($m, $nodes, $taken, far, $stacks, $level - 4);
            )*
        }
    };
}

#[target_feature(enable = "avx512f,avx512dq,popcnt,bmi1")]
fn batch(steps: &Steps, stacks: &mut Stacks, stack: usize, count: usize, tally: &mut [u64; 8]) -> bool {
    let solved = _mm512_set1_epi64(steps.solved as i64);
    let (nearer, farther) = (Table::new(&steps.nearer), Table::new(&steps.farther));
    let (level, last) = (stack & !3, stack & 3);
    // All moves but the one that takes the last one back.
    let tried = _mm512_set1_epi64(0x0001_0001_0001_0001 & !(0xffff << (16 * (3 - last))));
    let mut nodes = [_mm512_setzero_si512(); VECTORS];
    let mut near = nodes;
    let mut taken: [__mmask8; VECTORS] = [0xff; VECTORS];
    let mut sum = load(tally);
    let mut goals = 0;
    for i in 0..VECTORS {
        if count < BATCH {
            taken[i] = ((1u32 << count.saturating_sub(8 * i).min(8)) - 1) as __mmask8;
        }
        nodes[i] = load(eight(&stacks.nodes[stack], stacks.heights[stack] + 8 * i));
        goals |= _mm512_mask_cmpeq_epi64_mask(taken[i], nodes[i], solved);
        near[i] = nearer.at(nodes[i]);
        sum = _mm512_add_epi64(sum, _mm512_maskz_and_epi64(taken[i], near[i], tried));
    }
    store(tally, sum);
    match last {
        0 => spread!([0 1 2], nodes, taken, near, farther, stacks, level),
        1 => spread!([0 1 3], nodes, taken, near, farther, stacks, level),
        2 => spread!([0 2 3], nodes, taken, near, farther, stacks, level),
        _ => spread!([1 2 3], nodes, taken, near, farther, stacks, level),
    }
    goals != 0
}
