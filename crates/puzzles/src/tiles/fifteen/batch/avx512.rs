//! Vectorized expansion with AVX-512: eight nodes per vector, four vectors at a time.

use std::arch::x86_64::*;

use super::{BATCH, Expand, Stacks, StepTables};

const VECTORS: usize = BATCH / 8;

/// The vectorized expansion, if this machine supports it.
pub(super) fn expand_fn() -> Option<Expand> {
    if is_x86_feature_detected!("avx512f")
        && is_x86_feature_detected!("avx512dq")
        && is_x86_feature_detected!("popcnt")
        && is_x86_feature_detected!("bmi1")
    {
        Some(|tables, stacks, stack, count, tally| {
            // SAFETY: the features that `batch` is compiled for were detected above, and this closure is
            // created nowhere else.
            unsafe { batch(tables, stacks, stack, count, tally) }
        })
    } else {
        None
    }
}

#[inline]
#[target_feature(enable = "avx512f,avx512dq,popcnt,bmi1")]
fn load(words: &[u64; 8]) -> __m512i {
    // SAFETY: the array has the 64 bytes that are read; unaligned loads are allowed.
    unsafe { _mm512_loadu_si512(words.as_ptr().cast()) }
}

#[inline]
#[target_feature(enable = "avx512f,avx512dq,popcnt,bmi1")]
fn store(words: &mut [u64; 8], vector: __m512i) {
    // SAFETY: the array has the 64 bytes that are written; unaligned stores are allowed.
    unsafe { _mm512_storeu_si512(words.as_mut_ptr().cast(), vector) }
}

/// The eight words from index `at` on.
#[inline(always)]
fn eight(words: &[u64], at: usize) -> &[u64; 8] {
    match words[at..at + 8].try_into() {
        Ok(eight) => eight,
        Err(_) => unreachable!("the slice has eight words"),
    }
}

#[inline(always)]
fn eight_mut(words: &mut [u64], at: usize) -> &mut [u64; 8] {
    match (&mut words[at..at + 8]).try_into() {
        Ok(eight) => eight,
        Err(_) => unreachable!("the slice has eight words"),
    }
}

/// A table of sixteen words, indexed by the lowest nibble of each node: the blank's cell.
#[derive(Clone, Copy)]
struct Table(__m512i, __m512i);

impl Table {
    #[inline]
    #[target_feature(enable = "avx512f,avx512dq,popcnt,bmi1")]
    fn new(words: &[u64; 16]) -> Table {
        Table(load(eight(words, 0)), load(eight(words, 8)))
    }

    /// The table words of eight nodes.
    #[inline]
    #[target_feature(enable = "avx512f,avx512dq,popcnt,bmi1")]
    fn at(self, nodes: __m512i) -> __m512i {
        _mm512_permutex2var_epi64(self.0, nodes, self.1)
    }
}

/// The children by move `M`: the tile moves to the blank's nibble, and the word is rotated to the new blank.
#[inline]
#[target_feature(enable = "avx512f,avx512dq,popcnt,bmi1")]
fn children<const M: usize>(nodes: __m512i) -> __m512i {
    // The board rotated to the blank's next cell, the tile shifted to its next nibble, that nibble's mask,
    // and the change of the blank's cell.
    let (board, tile, mask, step) = match M {
        0 => (_mm512_rol_epi64::<16>(nodes), _mm512_srli_epi64::<32>(nodes), 15 << 16, -4),
        1 => (_mm512_rol_epi64::<4>(nodes), _mm512_srli_epi64::<56>(nodes), 15 << 4, -1),
        2 => (_mm512_ror_epi64::<4>(nodes), _mm512_slli_epi64::<56>(nodes), 15 << 60, 1),
        _ => (_mm512_ror_epi64::<16>(nodes), _mm512_slli_epi64::<32>(nodes), 15 << 48, 4),
    };
    /// Ternary logic: the second operand where the first is 1, else the third.
    const CHOOSE: i32 = 0xca;
    let blanks = _mm512_add_epi64(nodes, _mm512_set1_epi64(step));
    let slid = _mm512_ternarylogic_epi64::<CHOOSE>(_mm512_set1_epi64(mask), tile, board);
    _mm512_ternarylogic_epi64::<CHOOSE>(_mm512_set1_epi64(15), blanks, slid)
}

/// The bit of a [`StepTables`] word that belongs to move `M`: 16 M + the tile that slides.
#[inline]
#[target_feature(enable = "avx512f,avx512dq,popcnt,bmi1")]
fn bit_index<const M: usize>(nodes: __m512i) -> __m512i {
    let tiles = match M {
        0 => _mm512_srli_epi64::<48>(nodes),
        1 => _mm512_srli_epi64::<60>(nodes),
        2 => _mm512_srli_epi64::<4>(nodes),
        _ => _mm512_srli_epi64::<16>(nodes),
    };
    /// Ternary logic: the first operand or the conjunction of the others.
    const OR_AND: i32 = 0xf8;
    _mm512_ternarylogic_epi64::<OR_AND>(_mm512_set1_epi64(16 * M as i64), tiles, _mm512_set1_epi64(15))
}

/// Pushes the children by move `m` whose table bit is set to stack `m` of a slack level. This is a macro
/// because a function is not inlined into `batch`, and passing sixteen vectors halves the speed.
macro_rules! push {
    ($m:literal, $nodes:ident, $lanes:ident, $table_bits:ident, $stacks:ident, $first_stack:expr) => {
        let to = $first_stack + $m;
        let mut height = $stacks.heights[to];
        let out = &mut $stacks.nodes[to];
        for i in 0..VECTORS {
            let selected = _mm512_srlv_epi64($table_bits[i], bit_index::<$m>($nodes[i]));
            let pushed = _mm512_mask_test_epi64_mask($lanes[i], selected, _mm512_set1_epi64(1));
            let packed = _mm512_maskz_compress_epi64(pushed, children::<$m>($nodes[i]));
            store(eight_mut(out, height), packed);
            height += pushed.count_ones() as usize;
        }
        $stacks.set_height(to, height);
    };
}

/// Pushes the children by the three moves that do not undo the last one.
macro_rules! push_children {
    (
        [$($m:literal)*], $nodes:ident, $lanes:ident, $closer:ident, $farther_bits:expr,
        $stacks:ident, $first_stack:ident
    ) => {
        if $first_stack == 0 {
            $(push!($m, $nodes, $lanes, $closer, $stacks, 0);)*
        } else {
            let mut farther = $nodes;
            for nodes in &mut farther {
                *nodes = $farther_bits.at(*nodes);
            }
            $(
                push!($m, $nodes, $lanes, $closer, $stacks, $first_stack);
                push!($m, $nodes, $lanes, farther, $stacks, $first_stack - 4);
            )*
        }
    };
}

/// Expands one batch; see [`Expand`].
#[target_feature(enable = "avx512f,avx512dq,popcnt,bmi1")]
fn batch(tables: &StepTables, stacks: &mut Stacks, stack: usize, count: usize, tally: &mut [u64; 8]) -> bool {
    let goal = _mm512_set1_epi64(tables.goal as i64);
    let (closer_bits, farther_bits) = (Table::new(&tables.closer_bits), Table::new(&tables.farther_bits));
    // The first of the four stacks with the same slack, and the last move.
    let (first_stack, last) = (stack & !3, stack & 3);
    // The legality bits of all moves but the one that undoes the last move.
    let legal_bits = _mm512_set1_epi64(0x0001_0001_0001_0001 & !(0xffff << (16 * (3 - last))));
    let mut nodes = [_mm512_setzero_si512(); VECTORS];
    let mut closer = nodes;
    let mut lanes: [__mmask8; VECTORS] = [0xff; VECTORS];
    let mut sum = load(tally);
    let mut goal_lanes = 0;
    for i in 0..VECTORS {
        if count < BATCH {
            lanes[i] = ((1u32 << count.saturating_sub(8 * i).min(8)) - 1) as __mmask8;
        }
        nodes[i] = load(eight(&stacks.nodes[stack], stacks.heights[stack] + 8 * i));
        goal_lanes |= _mm512_mask_cmpeq_epi64_mask(lanes[i], nodes[i], goal);
        closer[i] = closer_bits.at(nodes[i]);
        sum = _mm512_add_epi64(sum, _mm512_maskz_and_epi64(lanes[i], closer[i], legal_bits));
    }
    store(tally, sum);
    match last {
        0 => push_children!([0 1 2], nodes, lanes, closer, farther_bits, stacks, first_stack),
        1 => push_children!([0 1 3], nodes, lanes, closer, farther_bits, stacks, first_stack),
        2 => push_children!([0 2 3], nodes, lanes, closer, farther_bits, stacks, first_stack),
        _ => push_children!([1 2 3], nodes, lanes, closer, farther_bits, stacks, first_stack),
    }
    goal_lanes != 0
}
