/** How senders reach this server, and what of a connector their configuration holds. */
export type IntakeAddress = {
  /** Without a slash at its end. */
  readonly url: string
  readonly host: string
  /** Of `url`. */
  readonly port: number
  readonly isTls: boolean
  /** The token of the connector, or the word that stands for it: a token is shown once. */
  readonly token: string
  /** Where a connector of type `syslog` listens. */
  readonly syslog: { readonly port: string; readonly transport: 'udp' | 'tcp' | 'tls' }
}

/** Words that stand for what the server does not know. */
export const placeholders = ['TRIPLINE_TOKEN', 'TRIPLINE_PORT'] as const

type KnownConnector = { readonly type: string; readonly config: { readonly [key: string]: unknown } }

/** @param url The public URL of the server, or the one that the caller used. */
export function describeIntakeAddress(url: string, connector: KnownConnector | undefined): IntakeAddress {
  const { hostname, port, protocol, origin } = new URL(url)
  const isTls = protocol === 'https:'
  const [tokenWord, portWord] = placeholders
  const known = connector?.type === 'syslog' ? connector.config : {}
  const transport = (['udp', 'tcp', 'tls'] as const).find((name) => name === known['transport']) ?? 'tcp'
  return {
    url: origin, isTls, token: tokenWord,
    host: hostname.replaceAll(/^\[|\]$/g, ''),
    port: port === '' ? (isTls ? 443 : 80) : Number(port),
    syslog: { port: typeof known['port'] === 'number' ? String(known['port']) : portWord, transport },
  }
}
