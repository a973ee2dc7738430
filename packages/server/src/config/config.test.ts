import { ExitError } from '@tripline/common/exit-error'
import { describe, expect, test } from 'vitest'
import { parseServeArguments } from '../../test/parse-serve-arguments.ts'
import { readConfig, resolveConfig } from './config.ts'
import { limits } from '../limits.ts'

type World = { readonly environment?: { readonly [name: string]: string }; readonly files?: { readonly [path: string]: string } }

function read(args: string, { environment = {}, files = {} }: World = {}): Promise<object> {
  return readConfig(parseServeArguments(args === '' ? [] : args.split(' ')), {
    environment,
    readText: async (path) => files[path] ?? Promise.reject(new Error('there is no such file')),
  })
}

const defaults = {
  dataDir: './tripline-data',
  listen: { host: '127.0.0.1', port: 8080 },
  tlsCert: '', tlsKey: '', tlsClientCa: '', behindProxy: false,
  listenConnectionsMax: 4_096,
  listenConnectionsPerAddressMax: 1_024,
  otlpListen: '',
  syslogPorts: ['5514-5523'],
  rules: [],
  publicUrl: '',
  allowedOrigins: [],
  console: 'on',
  trustedIssuer: '',
  trustedAudience: 'console',
  trustedJwksFile: '',
  trustedJwksUrl: '',
  trustedTenantClaim: 'tenant_id',
  trustedRolesClaim: 'roles',
  trustIssuerMfa: false, requireOperatorMfa: false, egressAllowCidrs: [],
  egressAllowInsecure: false,
  egressDnsServers: [],
  metricsTokenFile: '',
  trustedProxies: [],
  adminPasswordFile: '',
  retentionEventsDays: 30,
  retentionAlertsDays: 400,
  retentionAuditDays: 400,
  trustedTime: '',
  verifyHours: 24,
  backupTo: '',
  backupHours: 24,
  backupKeep: 30,
  backupPassphraseFile: '',
  backupAgeIdentityFile: '',
  backupS3Endpoint: '',
  backupS3Region: 'us-east-1',
  backupS3CredentialsFile: '',
  signingKeyDays: 90,
  shutdownGraceMs: 10_000,
}

describe('reads', () => {
  test.for<[title: string, args: string, world: World, config: object]>([
    ['nothing', '', {}, {}],
    ['flags', '--data-dir d --listen 127.0.0.1:0', {}, { dataDir: 'd', listen: { host: '127.0.0.1', port: 0 } }],
    ['a flag with =', '--listen=[::1]:9', {}, { listen: { host: '::1', port: 9 } }],
    ['several rule paths', 'a b --data-dir d c', {}, { rules: ['a', 'b', 'c'], dataDir: 'd' }],
    ['an address for everybody, behind a proxy', '--listen 0.0.0.0:1 --behind-proxy true', {}, { listen: { host: '0.0.0.0', port: 1 }, behindProxy: true }],
    ['an address for everybody, with TLS', '--listen [::]:1 --tls-cert c --tls-key k --tls-client-ca a', {},
      { listen: { host: '::', port: 1 }, tlsCert: 'c', tlsKey: 'k', tlsClientCa: 'a' }],
    ['limits of connections', '--listen-connections-max 10 --listen-connections-per-address-max 2', {},
      { listenConnectionsMax: 10, listenConnectionsPerAddressMax: 2 }],
    ['a public address, without the slash at its end', '--public-url https://tripline.example/', {}, { publicUrl: 'https://tripline.example' }],
    ['no console', '--console off', {}, { console: 'off' }],
    ['allowed origins', '--allowed-origins https://console.example:443,http://[::1]:5173/', {},
      { allowedOrigins: ['https://console.example', 'http://[::1]:5173'] }],
    ['a trusted issuer', '--trusted-issuer https://idp.example --trusted-jwks-file keys.json', {},
      { trustedIssuer: 'https://idp.example', trustedJwksFile: 'keys.json' }],
    ['variables', '', { environment: { TRIPLINE_DATA_DIR: 'e', TRIPLINE_RULES: 'a:b', TRIPLINE_UNKNOWN: 'x' } },
      { dataDir: 'e', rules: ['a', 'b'] }],
    ['an empty list', '', { environment: { TRIPLINE_RULES: '' } }, { rules: [] }],
    ['a file', '--config f', { files: { f: '{"data_dir":"f","rules":["a"],"shutdown_grace_ms":0}' } },
      { dataDir: 'f', rules: ['a'], shutdownGraceMs: 0 }],
    ['a group in a file', '--config f', { files: { f: '{"egress":{"allow_cidrs":["10.0.0.0/8","fd00::/8"],"allow_insecure":true}}' } },
      { egressAllowCidrs: ['10.0.0.0/8', 'fd00::/8'], egressAllowInsecure: true }],
    ['retention', '--config f --retention-audit-days 365', { files: { f: '{"retention":{"events_days":400,"alerts_days":1}}' } },
      { retentionEventsDays: 400, retentionAlertsDays: 1, retentionAuditDays: 365 }],
    ['an address for OTLP', '--otlp-listen 127.0.0.1:4318', {}, { otlpListen: '127.0.0.1:4318' }],
    ['ports', '--syslog-ports 514,6514-6515', {}, { syslogPorts: ['514', '6514-6515'] }],
    ['a list with commas', '--egress-allow-cidrs 10.0.0.0/8,fd00::/8', { environment: { TRIPLINE_EGRESS_DNS_SERVERS: '::1, 9.9.9.9' } },
      { egressAllowCidrs: ['10.0.0.0/8', 'fd00::/8'], egressDnsServers: ['::1', '9.9.9.9'] }],
    ['a file that a variable names', '', { environment: { TRIPLINE_CONFIG: 'f' }, files: { f: '{"data_dir":"f"}' } },
      { dataDir: 'f' }],
    ['a file of YAML', '--config f', { files: { f: '# where\ndata_dir: f\nrules: [a, b]\negress:\n  allow_insecure: true # why\nshutdown_grace_ms: 0\n' } },
      { dataDir: 'f', rules: ['a', 'b'], egressAllowInsecure: true, shutdownGraceMs: 0 }],
    ['a file of JSON with comments', '--config f',
      { files: { f: '// where\n{\n  /* "data_dir": "x", */ "data_dir": "a//b", // "rules": []\n  "rules": ["a, ]",],\n}\n' } },
      { dataDir: 'a//b', rules: ['a, ]'] }],
    ['a file of comments', '--config f', { files: { f: '# data_dir: x\n' } }, {}],
    ['a flag before a variable before a file', '--data-dir flag',
      { environment: { TRIPLINE_CONFIG: 'f', TRIPLINE_DATA_DIR: 'e', TRIPLINE_LISTEN: 'localhost:1' },
        files: { f: '{"data_dir":"f","listen":"localhost:2","shutdown_grace_ms":3}' } },
      { dataDir: 'flag', listen: { host: 'localhost', port: 1 }, shutdownGraceMs: 3 }],
  ])('%s', async ([, args, world, config]) => {
    expect(await read(args, world)).toEqual({ ...defaults, ...config })
  })
})

const oneKeySource = 'set --trusted-issuer together with exactly one of --trusted-jwks-file and --trusted-jwks-url'

describe('refuses', () => {
  test.for<[args: string, sentence: string, world?: World]>([
    ['--data-dir a --data-dir b', '--data-dir is given more than once'],
    ['--data-dir=', '--data-dir needs a value'],
    ['--listen 8080', "--listen must be host:port such as 127.0.0.1:8080 or [::1]:8080, with a port up to 65535, not '8080'"],
    ['--listen 127.0.0.1:65536', "--listen must be host:port such as 127.0.0.1:8080 or [::1]:8080, with a port up to 65535, not '127.0.0.1:65536'"],
    ...['0.0.0.0:1', '192.0.2.1:1', '[::]:1', 'tripline.example:1', '127.0.0.1.example:1'].map((listen): [string, string] => [`--listen ${listen}`,
      `--listen ${listen} would send passwords and events over the network in plain text; set --tls-cert and --tls-key, or --behind-proxy where a proxy ends TLS`]),
    ['--tls-cert c', 'set --tls-cert and --tls-key together'],
    ['--tls-key k', 'set --tls-cert and --tls-key together'],
    ['--tls-client-ca a', '--tls-client-ca needs --tls-cert and --tls-key'],
    ['--public-url tripline.example', "--public-url must be a URL that begins with http:// or https://, not 'tripline.example'"],
    ['--allowed-origins console.example', "--allowed-origins must be origins such as https://console.example, without a path; 'console.example' is not one"],
    ['--allowed-origins https://a.example/console', "--allowed-origins must be origins such as https://console.example, without a path; 'https://a.example/console' is not one"],
    ['--allowed-origins *', "--allowed-origins must be origins such as https://console.example, without a path; '*' is not one"],
    ['--trusted-issuer x', oneKeySource],
    ['--trusted-jwks-url https://idp.example/keys', oneKeySource],
    ['--trusted-issuer x --trusted-jwks-file f --trusted-jwks-url https://idp.example/keys', oneKeySource],
    ['--trusted-proxies 10.0.0.1', "--trusted-proxies must be networks in CIDR notation such as 10.0.0.0/8; '10.0.0.1' is not one"],
    ['--retention-events-days 0', "--retention-events-days must be a whole number from 1 to 400, not '0'"],
    ['--retention-events-days 401', "--retention-events-days must be a whole number from 1 to 400, not '401'"],
    ['--retention-audit-days 364', "--retention-audit-days must be a whole number from 365 to 3650, not '364'"],
    ['--shutdown-grace-ms 600001', "--shutdown-grace-ms must be a whole number from 0 to 600000, not '600001'"],
    ...['soon', '2026-11-22', '2026-13-01T00:00:00Z'].map((time): [string, string] =>
      [`--trusted-time ${time}`, `--trusted-time must be a time with its offset such as 2026-11-22T09:00:00Z, not '${time}'`]),
    ['--shutdown-grace-ms=-1', "--shutdown-grace-ms must be a whole number from 0 to 600000, not '-1'"],
    ['--config f', "configuration file 'f' cannot be read: there is no such file"],
    ['--config f', "configuration file 'f' must contain an object of settings, in YAML or JSON", { files: { f: '[]' } }],
    ['--config f', "configuration file 'f' has an unknown setting 'dataDir'; did you mean 'data_dir'?", { files: { f: '{"dataDir":"x"}' } }],
    ['--config f', "configuration file 'f' has an invalid value for 'rules'; use a string, a number, a boolean or a list of them", { files: { f: '{"rules":[{}]}' } }],
    ['--syslog-ports 9-8', "--syslog-ports must be ports such as 514 or ranges such as 5514-5523, not '9-8'"],
    ['--egress-allow-insecure yes', "--egress-allow-insecure must be true or false, not 'yes'"],
    ['--config f', "configuration file 'f' has an unknown setting 'egress_allow'", { files: { f: '{"egress":{"allow":[]}}' } }],
    ['', "--listen must be host:port such as 127.0.0.1:8080 or [::1]:8080, with a port up to 65535, not 'x'", { environment: { TRIPLINE_LISTEN: 'x' } }],
  ])('%s: %s', async ([args, sentence, world]) => {
    const refused = await read(args, world).catch((error: unknown) => error)
    expect(refused).toBeInstanceOf(ExitError)
    expect(refused).toMatchObject({ exitCode: 78, message: sentence })
  })

  test.for(['{', '{"a" // "b"}', 'a: [', 'a: *b', '{"rules": ["a" /* ]}', 'a: !!js/function x'])('a file that can be read as neither: %s', async (text) => {
    await expect(read('--config f', { files: { f: text } })).rejects.toThrow(/^configuration file 'f' cannot be read: /)
  })

  test('a file that is too long', async () => {
    await expect(read('--config f', { files: { f: ' '.repeat(limits.configuration.fileLengthMax + 1) } })).rejects.toThrow(/at most \d+ are read$/)
  })
})

test('says where each value comes from', async () => {
  const { sources, file } = await resolveConfig(parseServeArguments(['--data-dir', 'd', 'rules']), {
    environment: { TRIPLINE_CONFIG: 'f', TRIPLINE_LISTEN: 'localhost:1', TRIPLINE_DATA_DIR: 'e' },
    readText: async () => 'listen: localhost:2\nverify_hours: 1\n',
  })
  expect(file).toBe('f')
  expect(sources).toMatchObject({
    dataDir: 'option --data-dir', rules: 'arguments', listen: 'variable TRIPLINE_LISTEN', verifyHours: 'key verify_hours of f', publicUrl: 'default',
  })
})
