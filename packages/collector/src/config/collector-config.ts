import { z } from 'zod'
import { limits } from '../limits.ts'

const text = z.string('must be a text').min(1, 'must not be empty')

/** `collector.yaml`. */
export const collectorSchema = z.strictObject({
  server: z.strictObject({ url: z.url({ protocol: /^https?$/, error: 'must be an http or https address' }) }),
  tls: z.strictObject({
    /** A file of certificates in PEM that alone are trusted, in place of those of the system. */
    ca_file: text.optional(),
  }).default({}),
  buffer: z.strictObject({
    max_bytes: z.int('must be a number of bytes').min(limits.spool.bytesMin, `must be ${limits.spool.bytesMin} or more`),
  }).default({ max_bytes: limits.spool.bytesDefault }),
  /** Where rules run: on the server, which gets all events, or here, so that the server gets alerts with their events. */
  detect: z.enum(['server', 'edge'], 'must be server or edge').default('server'),
  /** Files of rules, and folders of them, for `edge`; from the folder of this file. */
  rules: z.array(text, 'must be a list of paths').default([]),
  /** Holds the spool and the credential. */
  data_dir: text.default('/var/lib/tripline-collector'),
  /** Default: `control.sock` in the data folder. */
  control_socket: text.optional(),
}).refine(({ detect, rules }) => detect === 'server' || rules.length > 0, { message: 'edge needs rules', path: ['detect'] })
export type CollectorConfig = z.output<typeof collectorSchema>
