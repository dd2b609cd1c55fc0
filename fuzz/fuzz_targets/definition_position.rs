#![no_main]
libfuzzer_sys::fuzz_target!(|data: &[u8]| untumble_fuzz_targets::definition_position(data));
