export const saslMechanisms = ['plain', 'scram-sha-256', 'scram-sha-512'] as const

/** How to reach a topic of Kafka, and who reads it. */
export type KafkaSettings = {
  readonly brokers: readonly string[]
  readonly topic: string
  /** The consumer group: its members share the partitions. */
  readonly group: string
  /** Where a group begins that has no offsets. */
  readonly startAt: 'beginning' | 'end'
  readonly username?: string | undefined
  readonly password?: string | undefined
  readonly mechanism: (typeof saslMechanisms)[number]
  readonly usesTls: boolean
  /** Certificates in PEM that alone are trusted, in place of those of the system. */
  readonly tlsCa?: string | undefined
}

/** Why a topic is none that can be consumed; undefined for one that can. */
export function findTopicProblem(topic: string): string | undefined {
  return /^[A-Za-z0-9._-]{1,249}$/.test(topic) ? undefined : 'must have letters, digits, dots, - and _ only, at most 249'
}
