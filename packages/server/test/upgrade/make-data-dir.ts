/**
 * Makes the data directory that a release leaves for the upgrade test: `node packages/server/test/upgrade/make-data-dir.ts`,
 * run with the release's sources. It creates a tenant's users, key, rule, view and connector, sends events, waits for their
 * alerts, and stops.
 */
import { anySshLogin, encoded, encodedPowerShell, sshLogin } from '@tripline/detection/test/rules'
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { logInAt, pollUntil, serveAt } from './run-at.ts'

const { version } = JSON.parse(await readFile(join(import.meta.dirname, '../../package.json'), 'utf8')) as { version: string }
const target = join(import.meta.dirname, 'data-dirs', version)
/** Fixed, so that the test knows how old the data is. */
const madeAt = Date.UTC(2026, 10, 22, 12)

const work = await mkdtemp(join(tmpdir(), 'tripline-release-'))
const dataDir = join(work, 'data')
const rulesFile = join(work, 'rules.yml')
await writeFile(rulesFile, encodedPowerShell)
const server = await serveAt(dataDir, madeAt, rulesFile)
const call: typeof server.call = async (method, path, ...rest) => {
  const answer = await server.call(method, path, ...rest)
  if (answer.status >= 400) throw new Error(`${method} ${path} was refused: ${JSON.stringify(answer.body)}`)
  return answer
}

const admin = { email: 'admin@localhost', password: (await readFile(join(dataDir, 'first-password'), 'utf8')).trim() }
const token = await logInAt(server, admin)
const { body: created } = await call('POST', '/v1/users', token, { email: 'ann@example.org', name: 'Ann', roles: ['analyst'] })
const analyst = { email: 'ann@example.org', password: 'kiln-Vortex-41-lemur' }
await logInAt(server, { email: analyst.email, password: created['one_time_password'], new_password: analyst.password })

const { body: key } = await call('POST', '/v1/api-keys', token, {
  name: 'shipper', scope: 'read-write', expires_at: new Date(madeAt + 30 * 86_400_000).toISOString(),
})
const { body: rule } = await call('POST', '/v1/detection/rules', token, { definition: anySshLogin.replace(/^id: .*\n/m, '') })
const { body: view } = await call('POST', '/v1/views', token, { page: 'alerts', name: 'Open', query: 'status=open', is_shared: true })

const events = [{ ...encoded, id: 'event-1' }, { ...sshLogin, id: 'event-2' }, { ...sshLogin, id: 'event-3', host: 'db-2' }]
await call('POST', '/ingest/v1/events', token, events)
const alerts = await pollUntil(() => call('GET', '/v1/alerts', token), (body) => (body['alerts'] as unknown[]).length === 3)
await pollUntil(() => call('GET', '/v1/search?q=*', token), (body) => JSON.stringify(body).includes('event-3'))
const [alert] = alerts['alerts'] as { id: string }[]
await call('PUT', `/v1/alerts/${alert?.id}`, token, { status: 'investigating' })
await server.stop()

const known = { madeAt, admin, analyst, apiKey: key['key'], ruleId: rule['id'], viewId: view['id'], alertId: alert?.id, events }
await rm(target, { recursive: true, force: true })
await mkdir(join(target, '..'), { recursive: true })
await cp(dataDir, target, { recursive: true })
await rm(join(target, 'code-cache'), { recursive: true, force: true })
await writeFile(`${target}.json`, `${JSON.stringify(known, null, 2)}\n`)
await rm(work, { recursive: true })
