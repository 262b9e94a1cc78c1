#pragma once

/// MAGGI_CLONES before a function: one binary, at full vector width on every machine. The run-time dispatch needs GNU
/// ifuncs, which the sanitizers do not survive. What such a function calls must be MAGGI_INLINE to be cloned with it.
#if defined(__x86_64__) && defined(__gnu_linux__) && defined(__GNUC__) && !defined(__clang__) && \
    !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__) && !defined(__SANITIZE_UNDEFINED__)
#define MAGGI_CLONES __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#else
#define MAGGI_CLONES
#endif
#define MAGGI_INLINE [[gnu::always_inline]] inline
