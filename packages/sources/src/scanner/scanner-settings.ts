/** How a scanner is talked to. */
export const scannerDialects = ['v3', 'v4', 'bulk'] as const
export type ScannerDialect = (typeof scannerDialects)[number]

/** What is collected; all by default. */
export const collectedKinds = ['assets', 'vulnerabilities', 'risk_scores'] as const
type CollectedKind = (typeof collectedKinds)[number]

/** A vulnerability scanner to poll. */
export type ScannerSettings = {
  /** The address of its cloud API or of the console. */
  readonly apiUrl: string
  /** A key, or `user:password` of a console. */
  readonly apiKey: string
  readonly dialect: ScannerDialect
  readonly collect: readonly CollectedKind[]
  /** The second factor of a console's account. */
  readonly token?: string
}

/** Hosts of the cloud. */
const cloudHost = /^[a-z0-9]+\.api\.insight\.rapid7\.com$/

/**
 * The dialect that an address tells: the cloud by its host, a console by its port or path; undefined for others, whose
 * dialect must be named.
 */
export function detectDialect(apiUrl: string): ScannerDialect | undefined {
  const { hostname, port, pathname } = new URL(apiUrl)
  if (cloudHost.test(hostname)) return pathname.startsWith('/export') ? 'bulk' : 'v4'
  return port === '3780' || pathname.startsWith('/api/3') ? 'v3' : undefined
}

/** The bases of the APIs: what the address has of a path is kept, the rest is what the dialect documents. */
export function buildBaseUrl({ apiUrl }: Pick<ScannerSettings, 'apiUrl'>, dialect: ScannerDialect): string {
  const { origin, pathname } = new URL(apiUrl)
  const path = pathname.replace(/\/+$/, '').replace(/\/(?:api\/3|vm\/v4|export\/graphql)$/, '')
  const suffix = { v3: '/api/3', v4: '/vm/v4', bulk: '/export/graphql' }[dialect]
  return `${origin}${path}${suffix}`
}
