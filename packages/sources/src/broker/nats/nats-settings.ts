/** How to reach a stream of NATS JetStream, and who reads it. */
export type NatsSettings = {
  readonly servers: readonly string[]
  readonly subject: string
  /** The durable consumer: those of one name share its messages. */
  readonly group: string
  /** Where a new durable consumer begins. */
  readonly startAt: 'beginning' | 'end'
  readonly username?: string | undefined
  readonly password?: string | undefined
  readonly token?: string | undefined
  /** A file of credentials, as `nsc` writes it: a JWT and its key. */
  readonly credentials?: string | undefined
  /** Certificates in PEM that alone are trusted, in place of those of the system. */
  readonly tlsCa?: string | undefined
}

/** Why a subject is none that can be consumed; undefined for one that can. */
export function findSubjectProblem(subject: string): string | undefined {
  const isSubject = subject.length <= 512 && /^[^\s.*>]+(?:\.[^\s.*>]+|\.\*)*(?:\.>)?$|^\*(?:\.[^\s.*>]+|\.\*)*(?:\.>)?$|^>$/.test(subject)
  return isSubject ? undefined : 'must be a subject such as logs.linux or logs.>'
}

/** Why a name is none of a durable consumer; undefined for one that is. */
export function findConsumerProblem(group: string): string | undefined {
  return /^[A-Za-z0-9_-]{1,128}$/.test(group) ? undefined : 'must have letters, digits, - and _ only, at most 128'
}
