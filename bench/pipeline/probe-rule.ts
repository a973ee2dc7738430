const id = '6f0f7c5e-2f7e-4a53-9a5e-3a0d3d9b7c11'

/** A rule that only the events match which are sent to be found again. */
export const probeRule = {
  id,
  text: `title: Probe of the benchmark
id: ${id}
status: stable
level: high
logsource: { product: probe, service: bench }
detection:
  probe: { Probe: 'yes' }
  condition: probe
`,
} as const
