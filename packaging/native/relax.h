/* Read before ggml-cpu.c (see snug.cmake). Without OpenMP, ggml's threads wait for each other by
   spinning, hundreds of times a token. Where another program has a core, the thread that everybody
   waits for stands in line behind those that wait: so they let others go first now and then. Alone
   on the machine it costs nothing.

   ggml defines `ggml_thread_cpu_relax(void)` and calls `ggml_thread_cpu_relax()`; the macro gives
   its definition another name and leads its calls here. */

#pragma once

#ifdef _WIN32
__declspec(dllimport) int __stdcall SwitchToThread(void);
#    define SNUG_LET_OTHERS_GO() SwitchToThread()
#    define SNUG_THREAD_LOCAL    __declspec(thread)
#else
#    include <sched.h>
#    define SNUG_LET_OTHERS_GO() sched_yield()
#    define SNUG_THREAD_LOCAL    __thread
#endif

#define SNUG_SPINS 256u /* about 5 to 10 microseconds */

static inline void snug_plain_relax(void);

static inline void snug_relax(void) {
    static SNUG_THREAD_LOCAL unsigned spins;
    snug_plain_relax();
    if (++spins % SNUG_SPINS == 0) {
        SNUG_LET_OTHERS_GO();
    }
}

#define SNUG_RELAX_void snug_plain_relax(void)
#define SNUG_RELAX_     snug_relax()
#define ggml_thread_cpu_relax(nothing_or_void) SNUG_RELAX_##nothing_or_void
