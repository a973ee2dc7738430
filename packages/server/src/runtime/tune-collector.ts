import { setFlagsFromString } from 'node:v8'

/** Settings of V8's garbage collector. Code that is compiled later obeys them, so they are set before the server is loaded. */
export const collectorFlags: readonly string[] = [
  // V8 watches which places of the code make objects that survive, and allocates what these make in the old generation. The
  // objects of a scan survive while their page is printed and are garbage soon after: a place that was chosen during the small
  // young generation of a start left about 60 bytes a row there, and an export of a million alerts grew the process by 60 MiB.
  '--no-allocation-site-pretenuring',
  // Otherwise buffers force a collection of all objects on the event loop whenever 64 MB of them were made since the last one,
  // which a flood of request bodies does every few seconds.
  '--external-memory-accounted-in-global-limit',
  // While objects are marked, in threads that need the same cores, requests took up to 150 ms longer. The old generation grows to
  // three times what lived in it after the last collection before the next begins, so there are fewer; and one thread marks.
  '--heap-growing-percent=200',
  '--concurrent-marking-max-worker-num=1',
]

/** Makes V8's garbage collector stop the event loop less often, for the rest of the process. */
export function tuneCollector(): void {
  for (const flag of collectorFlags) setFlagsFromString(flag)
}
