/* Linked into every library of one build. A plug-in whose text differs from that of libggml-base is
   of another build: structs may have changed, and it is never loaded. Found by name, or by reading
   the file for the words before the colon. */

#ifdef _WIN32
#    define SNUG_EXPORT __declspec(dllexport)
#else
#    define SNUG_EXPORT __attribute__((visibility("default"), used))
#endif

SNUG_EXPORT const char snug_build_id[] = "snug-build-id:" SNUG_BUILD_ID ";";
