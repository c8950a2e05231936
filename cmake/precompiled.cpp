// Carries the precompiled headers; never linked.
