# Functions that the scripts share. Source it from the root of the repository.

# Prints cargo's target directory.
target_directory() {
    cargo metadata --locked --no-deps --format-version 1 | sed 's/.*"target_directory":"\([^"]*\)".*/\1/'
}

# cargo_tool NAME VERSION [OPTION…]: installs a program from crates.io into target/tools, unoptimised, unless
# this version is there. Prints its path; the options are those of `cargo install`.
cargo_tool() {
    local name=$1 version=$2 root
    shift 2
    root=$(target_directory)/tools
    if ! "$root/bin/$name" --version 2>/dev/null | grep -qxE "[a-z-]+ v?${version//./\\.}"; then
        cargo install --locked --quiet --debug "$name" --version "$version" --root "$root" "$@" >&2 || return
    fi
    echo "$root/bin/$name"
}
