import { anySshLogin, encoded, whoami } from '@tripline/detection/test/rules'
import type { Role } from '@tripline/model/access/permission'
import { onlyTenant } from '@tripline/model/tenant'
import { scrapeToken } from '../open-test-server.ts'
import type { Call } from '../open-test-server.ts'
import { collectorCredential } from './sample-world.ts'
import type { SampleWorld } from './sample-world.ts'

/** A call of a route, and how it is answered; by a user with these roles, an admin where none are named. */
export type Sample = Call & { readonly path?: string; readonly roles?: readonly Role[]; readonly status: number }

type SampleMaker = Sample | ((world: SampleWorld) => Sample | Promise<Sample>)

export const sampleRuleId = '0198f1c0-7a10-4c3e-9b1e-2f6a3a1f0001'
const rulePath = `/v1/detection/rules/${sampleRuleId}`
/** Rewrites a field to what a tenant calls it. */
const pipelineText = 'name: Own names\ntransformations:\n  - type: field_name_mapping\n    mapping: { Image: proc.path }\n'
const createdRuleId = '0198f1c0-7a10-4c3e-9b1e-2f6a3a1f0002'

/** How each route is called so that it answers as its row says; a GET without a name in its path needs no row. */
export const samples: { readonly [route: string]: SampleMaker } = {
  'POST /ingest/v1/events': { body: [encoded], status: 202 },
  'GET /metrics': { token: scrapeToken, status: 200 },
  'POST /v1/auth/login': ({ login }) => ({ token: null, body: login, status: 200 }),
  'POST /v1/auth/link': ({ createLink }) => ({ token: null, address: '127.0.0.1', body: { token: createLink() }, status: 200 }),
  'POST /v1/auth/refresh': async ({ logIn }) => ({ token: null, headers: { cookie: (await logIn()).cookie }, status: 200 }),
  'POST /v1/auth/switch': async ({ logInToBoth }) => {
    const { token, cookie } = await logInToBoth()
    return { token, headers: { cookie }, body: { tenant_id: 'acme' }, status: 200 }
  },
  'POST /v1/auth/logout': async ({ logIn }) => ({ token: null, headers: { cookie: (await logIn()).cookie }, status: 204 }),
  'GET /v1/auth/me': async ({ logIn }) => ({ token: (await logIn()).token, status: 200 }),
  'GET /v1/auth/sessions': { roles: ['viewer'], status: 200 },
  'DELETE /v1/auth/sessions': { roles: ['viewer'], status: 204 },
  'DELETE /v1/auth/sessions/:id': async ({ logIn, listSessions }) => {
    const { token } = await logIn()
    return { token, path: `/v1/auth/sessions/${(await listSessions(token)).at(-1)}`, status: 204 }
  },
  'POST /v1/auth/password': async ({ logIn, login, newPassword }) => {
    return { token: (await logIn()).token, body: { current_password: login.password, new_password: newPassword }, status: 204 }
  },
  'POST /v1/auth/totp': { roles: ['viewer'], status: 200 },
  'POST /v1/auth/totp/confirm': async ({ offerFactor }) => ({ ...(await offerFactor()), status: 204 }),
  'POST /v1/auth/totp/remove': async ({ useFactor }) => ({ ...(await useFactor()), status: 204 }),
  'PUT /v1/me/preferences': { body: { preferences: { theme: 'dark', density: 'compact' } }, status: 200 },
  'POST /v1/users': { body: { email: 'new@example.org', name: 'New', roles: ['viewer'] }, status: 201 },
  'GET /v1/users/:id': { path: '/v1/users/known-1', status: 200 },
  'PATCH /v1/users/:id': { path: '/v1/users/known-1', body: { name: 'Known' }, status: 200 },
  'DELETE /v1/users/:id': { path: '/v1/users/known-2', status: 204 },
  'POST /v1/users/:id/password': { path: '/v1/users/known-1/password', status: 200 },
  'DELETE /v1/users/:id/sessions': { path: '/v1/users/known-1/sessions', status: 204 },
  'DELETE /v1/users/:id/totp': { path: '/v1/users/known-1/totp', status: 204 },
  'POST /v1/api-keys': { body: { name: 'Sender', scope: 'read-write' }, status: 201 },
  'GET /v1/api-keys/:id': { path: '/v1/api-keys/known001', status: 200 },
  'PATCH /v1/api-keys/:id': { path: '/v1/api-keys/known001', body: { name: 'Known' }, status: 200 },
  'POST /v1/api-keys/:id/rotate': { path: '/v1/api-keys/known001/rotate', body: {}, status: 201 },
  'DELETE /v1/api-keys/:id': { path: '/v1/api-keys/known002', status: 204 },
  'POST /v1/health/self-test': { status: 200 },
  'POST /v1/views': { body: { page: 'alerts', name: 'Open and high', query: 'status=open&severity=high' }, status: 201 },
  'GET /v1/views/:id': { path: '/v1/views/known-1', status: 200 },
  'PATCH /v1/views/:id': { path: '/v1/views/known-1', body: { is_shared: true }, status: 200 },
  'DELETE /v1/views/:id': { path: '/v1/views/known-2', status: 204 },
  // All techniques of ATT&CK would make most of the document.
  'GET /v1/detection/coverage': { path: '/v1/detection/coverage?format=navigator&layer=hits', status: 200 },
  'PATCH /v1/settings': { body: { dedup_minutes: 5 }, status: 200 },
  'POST /v1/settings/event-mapping/test': {
    body: { mapping: 'mappings: [{ when: { dev: true }, rename: { src: src_ip } }]', events: [{ dev: 'fw-1', src: '192.0.2.7' }] }, status: 200,
  },
  'GET /v1/auth/sign-on': { token: null, status: 200 },
  'GET /v1/auth/oidc/start': { token: null, path: '/v1/auth/oidc/start?organization=ann%40acme.example', status: 303 },
  'GET /v1/auth/oidc/callback': { token: null, path: '/v1/auth/oidc/callback?code=c1&state=s1', status: 303 },
  'GET /v1/auth/saml/:tenant/metadata': { token: null, path: `/v1/auth/saml/${onlyTenant}/metadata`, status: 200 },
  'POST /v1/auth/saml/:tenant/acs': {
    token: null, path: `/v1/auth/saml/${onlyTenant}/acs`, body: 'SAMLResponse=PGEvPg%3D%3D',
    headers: { 'content-type': 'application/x-www-form-urlencoded' }, status: 303,
  },
  'GET /v1/auth/saml/finish': { token: null, path: '/v1/auth/saml/finish?code=c1', status: 303 },
  'PUT /v1/settings/sso': {
    body: {
      enabled: false, enforced: false, issuer: 'https://login.example', client_id: 'tripline', client_secret: 'a secret of the client',
      email_domains: ['acme.example'], break_glass_user_id: null,
    },
    status: 200,
  },
  // No provider answers there.
  'POST /v1/settings/sso/test': { status: 409 },
  'POST /v1/settings/scim/tokens': { status: 201 },
  'DELETE /v1/settings/scim/tokens/:id': { path: '/v1/settings/scim/tokens/known-1', status: 204 },
  'POST /v1/settings/role-mapping/test': { body: { claims: { groups: ['soc'] } }, status: 200 },
  'GET /v1/tenants': { roles: ['operator'], status: 200 },
  'POST /v1/tenants': { body: { id: 'new', name: 'New' }, roles: ['operator'], status: 201 },
  'GET /v1/tenants/:id': { path: `/v1/tenants/${onlyTenant}`, roles: ['operator'], status: 200 },
  'PATCH /v1/tenants/:id': { path: `/v1/tenants/${onlyTenant}`, body: { plan: 'pro' }, roles: ['operator'], status: 200 },
  ...Object.fromEntries(['assets', 'identities', 'indicators', 'subdomains'].flatMap((kind) => {
    const body = { assets: { sources: ['test'] }, identities: { sources: ['test'] }, indicators: { confidence: 90 }, subdomains: { ip: '192.0.2.9' } }[kind]
    const row = {
      assets: { hostname: 'web-2' }, identities: { name: 'bob' }, indicators: { type: 'ip', value: '192.0.2.8' }, subdomains: { name: 'api.acme.example' },
    }[kind]
    return [
      [`POST /v1/${kind}/import`, { body: [row], status: 200 }],
      [`GET /v1/${kind}/:id`, { path: `/v1/${kind}/known-1`, status: 200 }],
      [`PUT /v1/${kind}/:id`, { path: `/v1/${kind}/known-1`, body, status: 200 }],
      [`DELETE /v1/${kind}/:id`, { path: `/v1/${kind}/known-1`, status: 204 }],
    ]
  })),
  'POST /v1/dsr': { body: { type: 'erasure', subject_ref: 'ticket 4711' }, status: 201 },
  'GET /v1/dsr/:id': { path: '/v1/dsr/known-1', status: 200 },
  'PATCH /v1/dsr/:id': { path: '/v1/dsr/known-1', body: { status: 'in_progress' }, status: 200 },
  'DELETE /v1/dsr/:id': { path: '/v1/dsr/known-2', status: 204 },
  'POST /v1/dsr/:id/erasure': { path: '/v1/dsr/known-1/erasure', body: { identifiers: ['ann.lee@example.org'] }, status: 202 },
  'GET /v1/dsr/:id/erasure': { path: '/v1/dsr/known-2/erasure', status: 200 },
  'PATCH /v1/assets/:id': { path: '/v1/assets/known-1', body: { owner: 'Ann', criticality: 'high' }, status: 200 },
  'GET /v1/assets/:id/timeline': { path: '/v1/assets/known-2/timeline', status: 200 },
  'GET /v1/assets/:id/alerts': { path: '/v1/assets/known-2/alerts', status: 200 },
  'GET /v1/assets/:id/findings': { path: '/v1/assets/known-2/findings', status: 200 },
  'GET /v1/assets/:id/bindings': { path: '/v1/assets/known-2/bindings', status: 200 },
  'GET /v1/assets/:id/risks': { path: '/v1/assets/known-2/risks', status: 200 },
  'POST /v1/assets/:id/merge': { path: '/v1/assets/known-2/merge', body: { asset_ids: ['known-3'] }, status: 200 },
  'POST /v1/assets/:id/split': { path: '/v1/assets/known-2/split', body: { ip_addresses: ['192.0.2.20'] }, status: 201 },
  'POST /v1/channels': {
    body: { name: 'SOC chat', settings: { type: 'slack' }, secrets: { url: 'https://hooks.slack.com/services/T0/B0/x' } }, status: 201,
  },
  'GET /v1/channels/:id': { path: '/v1/channels/ch1', status: 200 },
  'PATCH /v1/channels/:id': { path: '/v1/channels/ch1', body: { language: 'ko' }, status: 200 },
  'POST /v1/channels/:id/test': { path: '/v1/channels/ch1/test', status: 200 },
  'GET /v1/channels/:id/deliveries': { path: '/v1/channels/ch1/deliveries', status: 200 },
  'DELETE /v1/channels/:id': { path: '/v1/channels/ch2', status: 204 },
  'POST /v1/channel-routes': {
    body: {
      name: 'High alerts', events: ['alert.created'], filter: { field: 'severity', op: 'in', value: ['high', 'critical'] }, channel_ids: ['ch1'],
      quiet_hours: { from: '22:00', to: '07:00', except_severities: ['critical'] }, throttle_minutes: 5,
      escalation: { after_minutes: 15, channel_ids: ['ch1'] },
    },
    status: 201,
  },
  'GET /v1/channel-routes/:id': { path: '/v1/channel-routes/cr1', status: 200 },
  'PATCH /v1/channel-routes/:id': { path: '/v1/channel-routes/cr1', body: { digest_minutes: 30 }, status: 200 },
  'DELETE /v1/channel-routes/:id': { path: '/v1/channel-routes/cr2', status: 204 },
  'POST /v1/webhooks': { body: { name: 'SOAR', url: 'https://soar.example/hook', events: ['alert.created'], filters: { severity: ['high', 'critical'] } }, status: 201 },
  'GET /v1/webhooks/:id': { path: '/v1/webhooks/w1', status: 200 },
  'PATCH /v1/webhooks/:id': { path: '/v1/webhooks/w1', body: { events: ['alert.created', 'alert.updated'] }, status: 200 },
  'POST /v1/webhooks/:id/rotate-secret': { path: '/v1/webhooks/w1/rotate-secret', status: 200 },
  'POST /v1/webhooks/:id/test': { path: '/v1/webhooks/w1/test', status: 200 },
  'GET /v1/webhooks/:id/deliveries': { path: '/v1/webhooks/w1/deliveries', status: 200 },
  'GET /v1/webhooks/:id/deliveries/:delivery': { path: '/v1/webhooks/w1/deliveries/d1', status: 200 },
  'POST /v1/webhooks/:id/deliveries/:delivery/redeliver': { path: '/v1/webhooks/w1/deliveries/d1/redeliver', status: 202 },
  'POST /v1/webhooks/:id/replay': { path: '/v1/webhooks/w1/replay', body: { from: '2026-11-20T09:00:00Z', to: '2026-11-20T10:00:00Z' }, status: 202 },
  'DELETE /v1/webhooks/:id': { path: '/v1/webhooks/w2', status: 204 },
  'GET /v1/collectors/:id': { path: '/v1/collectors/known-1', status: 200 },
  'PATCH /v1/collectors/:id': { path: '/v1/collectors/known-1', body: { name: 'Frankfurt' }, status: 200 },
  'DELETE /v1/collectors/:id': { path: '/v1/collectors/known-2', status: 204 },
  'POST /v1/collectors/enrolment-tokens': { body: { name: 'Frankfurt 2' }, status: 201 },
  'POST /v1/collectors/enrol': async ({ createEnrolmentToken }) => ({
    token: null, status: 201,
    body: { token: await createEnrolmentToken(), hostname: 'fra-2', version: '1.0.0', os: 'Debian 13', os_family: 'linux' },
  }),
  'POST /v1/collectors/:id/heartbeat': {
    path: '/v1/collectors/known-1/heartbeat', token: collectorCredential, status: 200,
    body: {
      version: '1.0.0', hostname: 'fra-1', os: 'Debian 13', os_family: 'linux', uptime_seconds: 5_400, sent_at: '2026-11-20T10:00:00Z',
      health: { cpu_percent: 3.5, memory_mb: 120, last_error: null, config_version: '7' },
      sources: [{ name: 'firewall', type: 'syslog', status: 'healthy', events_per_second: 2.5, last_event_at: '2026-11-20T09:59:59Z', last_error: null }],
      buffer: { events: 3, bytes: 900, capacity_bytes: 1_073_741_824, oldest_event_at: '2026-11-20T09:59:58Z', dropped_total: 0 },
    },
  },
  'GET /v1/ws/monitoring': { status: 400 },
  'POST /v1/ws/ticket': { status: 201 },
  'GET /': { status: 302 },
  'GET /v1/connector-types': { path: '/v1/connector-types?connector_id=p1', status: 200 },
  'POST /v1/connectors': { body: { name: 'New', type: 'http_ndjson', config: {} }, status: 201 },
  'GET /v1/connectors/:id': { path: '/v1/connectors/p1', status: 200 },
  'PUT /v1/connectors/:id': { path: '/v1/connectors/p1', body: { config: { quiet_after: '60s' } }, status: 200 },
  'GET /v1/connectors/:id/samples': { path: '/v1/connectors/p1/samples', status: 200 },
  'GET /v1/connectors/:id/health': { path: '/v1/connectors/p1/health', status: 200 },
  'POST /v1/connectors/:id/test': {
    path: '/v1/connectors/new/test', body: { type: 'http_poll', config: { url: 'https://10.0.0.1/' } }, status: 200,
  },
  'DELETE /v1/connectors/:id': { path: '/v1/connectors/p2', status: 204 },
  'GET /v1/connectors/:id/metrics': { path: '/v1/connectors/p1/metrics?from=2026-11-20T09:58:00Z&to=2026-11-20T10:00:00Z', status: 200 },
  'GET /v1/pipeline/metrics/timeseries': {
    path: '/v1/pipeline/metrics/timeseries?from=2026-11-20T09:58:00Z&to=2026-11-20T10:00:00Z', status: 200,
  },
  'GET /v1/pipeline/sources': {
    path: '/v1/pipeline/sources?from=2026-11-20T09:30:00Z&to=2026-11-20T10:30:00Z', status: 200,
  },
  'GET /v1/detection/rules/summary': { path: '/v1/detection/rules/summary?facets=level,product', status: 200 },
  'GET /v1/detection/rules/:id': { path: rulePath, status: 200 },
  'GET /v1/detection/rules/:id/matches': { path: `${rulePath}/matches?limit=1`, status: 200 },
  'GET /v1/audit': { path: '/v1/audit?limit=1', status: 200 },
  'GET /v1/alerts': { path: '/v1/alerts?limit=1&sort=created_at:desc', status: 200 },
  'GET /v1/alerts/:id': ({ alertId }) => ({ path: `/v1/alerts/${alertId}`, status: 200 }),
  'PUT /v1/alerts/:id': ({ alertId }) => ({ path: `/v1/alerts/${alertId}`, body: { status: 'resolved', notes: 'patched' }, status: 200 }),
  'GET /v1/alerts/:id/context': ({ alertId }) => ({ path: `/v1/alerts/${alertId}/context`, status: 200 }),
  'GET /v1/alerts/summary': {
    path: '/v1/alerts/summary?from=2026-11-20T09:00:00Z&to=2026-11-20T11:00:00Z&buckets=10&facets=severity,host', status: 200,
  },
  'GET /v1/alerts/groups': { path: '/v1/alerts/groups?by=host', status: 200 },
  'POST /v1/alerts/bulk': ({ alertId }) => ({ body: { ids: [alertId], set: { status: 'investigating' }, dry_run: true }, status: 200 }),
  'POST /v1/alerts/bulk/:id/undo': async ({ changeAlerts }) => {
    const { token, undo } = await changeAlerts()
    return { token, path: `/v1/alerts/bulk/${undo}/undo`, status: 200 }
  },
  'GET /v1/incidents': { path: '/v1/incidents?status=open&limit=1', status: 200 },
  'POST /v1/incidents': { body: { title: 'Credentials found in a repository', severity: 'high' }, status: 201 },
  'GET /v1/incidents/:id': { path: '/v1/incidents/known-1', status: 200 },
  'PATCH /v1/incidents/:id': { path: '/v1/incidents/known-1', body: { status: 'contained', comment: 'Host isolated' }, status: 200 },
  'GET /v1/incidents/:id/comments': { path: '/v1/incidents/known-1/comments', status: 200 },
  'POST /v1/incidents/:id/comments': { path: '/v1/incidents/known-1/comments', body: { content: 'Seen on two more hosts' }, status: 201 },
  'GET /v1/incidents/:id/timeline': { path: '/v1/incidents/known-1/timeline?limit=2', status: 200 },
  'POST /v1/incidents/:id/alerts': { path: '/v1/incidents/known-2/alerts', body: { alert_ids: ['known-c'] }, status: 200 },
  'DELETE /v1/incidents/:id/alerts/:alertId': { path: '/v1/incidents/known-2/alerts/known-c', status: 200 },
  'POST /v1/incidents/:id/merge': { path: '/v1/incidents/known-1/merge', body: { incident_ids: ['known-2'] }, status: 200 },
  'POST /v1/incidents/:id/split': { path: '/v1/incidents/known-1/split', body: { alert_ids: ['known-b'] }, status: 201 },
  'GET /v1/compliance/:framework/coverage': { path: '/v1/compliance/iso27001/coverage', status: 200 },
  'GET /v1/compliance/:framework/controls': { path: '/v1/compliance/ccpa/controls', status: 200 },
  'GET /v1/compliance/:framework/controls/:id': { path: '/v1/compliance/iso27001/controls/A.8.17', status: 200 },
  'PATCH /v1/compliance/:framework/controls/:id': {
    path: '/v1/compliance/iso27001/controls/A.8.17', body: { owner: 'ann@example.org' }, status: 200,
  },
  'POST /v1/compliance/:framework/controls/:id/attestation': {
    path: '/v1/compliance/iso27001/controls/A.5.1/attestation', status: 201,
    body: { status: 'compliant', expires_at: '2027-11-01T00:00:00.000Z', proof: { url: 'https://example.org/policy' } },
  },
  'DELETE /v1/compliance/:framework/controls/:id/attestation': {
    path: '/v1/compliance/iso27001/controls/A.5.2/attestation', status: 204,
  },
  'GET /v1/compliance/:framework/report': { path: '/v1/compliance/iso27001/report?lang=ko', status: 200 },
  'PUT /v1/settings/branding': { body: { name: 'Acme SOC' }, status: 200 },
  'POST /v1/reports': { body: { kind: 'compliance', framework: 'iso27001', lang: 'en' }, status: 202 },
  'GET /v1/reports/:id': { path: '/v1/reports/known-1', status: 200 },
  'GET /v1/reports/:id/preview': { path: '/v1/reports/known-1/preview', status: 200 },
  'GET /v1/reports/:id/file': { path: '/v1/reports/known-1/file', status: 200 },
  'DELETE /v1/reports/:id': { path: '/v1/reports/known-2', status: 204 },
  'POST /v1/detection/rule-pipelines': {
    body: { name: 'Own names', text: pipelineText, priority: 20, enabled: false }, status: 201,
  },
  'GET /v1/detection/rule-pipelines/:id': { path: '/v1/detection/rule-pipelines/pl1', status: 200 },
  'PATCH /v1/detection/rule-pipelines/:id': { path: '/v1/detection/rule-pipelines/pl1', body: { priority: 30 }, status: 200 },
  'DELETE /v1/detection/rule-pipelines/:id': { path: '/v1/detection/rule-pipelines/pl2', status: 204 },
  'POST /v1/detection/rule-pipelines/test': {
    body: {
      definition: whoami, pipelines: [pipelineText],
      events: [{ _logsource: { category: 'process_creation' }, proc: { path: 'C:\\Windows\\whoami.exe' } }],
    },
    status: 200,
  },
  'POST /v1/report-schedules': {
    body: { name: 'Monday', kind: 'soc_weekly', cron: '0 8 * * 1', channel_ids: ['ch1'] }, status: 201,
  },
  'GET /v1/report-schedules/:id': { path: '/v1/report-schedules/rs1', status: 200 },
  'PATCH /v1/report-schedules/:id': { path: '/v1/report-schedules/rs1', body: { cron: '30 7 1 * *', enabled: true }, status: 200 },
  'POST /v1/report-schedules/:id/run': { path: '/v1/report-schedules/rs1/run', status: 202 },
  'DELETE /v1/report-schedules/:id': { path: '/v1/report-schedules/rs2', status: 204 },
  'POST /v1/compliance/evidence/collect': { body: { frameworks: ['iso27001'] }, status: 202 },
  'GET /v1/compliance/evidence/jobs/:id': { path: '/v1/compliance/evidence/jobs/known-1', status: 200 },
  'POST /v1/playbooks': {
    body: {
      name: 'Contain a critical incident', subject: 'incident', trigger: 'match', filter: { field: 'severity', op: 'eq', value: 'critical' },
      steps: [{ type: 'set_status', status: 'contained' }, { type: 'comment', content: 'Contained by the playbook' }],
    },
    status: 201,
  },
  'GET /v1/playbooks/:id': { path: '/v1/playbooks/known-1', status: 200 },
  'PATCH /v1/playbooks/:id': { path: '/v1/playbooks/known-1', body: { enabled: true, description: 'For the night shift' }, status: 200 },
  'POST /v1/playbooks/:id/run': { path: '/v1/playbooks/known-1/run', body: { subject_id: 'known-1' }, status: 202 },
  'GET /v1/playbooks/:id/runs': { path: '/v1/playbooks/known-1/runs?limit=1', status: 200 },
  'DELETE /v1/playbooks/:id': { path: '/v1/playbooks/known-2', status: 204 },
  'GET /v1/events/:id': ({ eventId }) => ({ path: `/v1/events/${eventId}`, status: 200 }),
  'GET /v1/events/:id/around': ({ eventId }) => ({ path: `/v1/events/${eventId}/around?minutes=5`, status: 200 }),
  'GET /v1/search/fields': { path: '/v1/search/fields', status: 200 },
  'GET /v1/search/facets': { path: '/v1/search/facets?q=user:alice&fields=user', status: 200 },
  'GET /v1/pipeline/failures': { path: '/v1/pipeline/failures?limit=1', status: 200 },
  'POST /v1/pipeline/failures/reprocess': { body: { ids: ['unknown'] }, status: 200 },
  'GET /v1/support-bundle': { path: '/v1/support-bundle', status: 200 },
  'GET /v1/search/split': { path: '/v1/search/split?q=user:alice&field=EventID&buckets=10', status: 200 },
  'GET /v1/search': { path: '/v1/search?q=user:alice&limit=1&histogram=false', status: 200 },
  'POST /v1/search': { body: { query: 'user:alice', fields: ['user'], histogram: false }, status: 200 },
  'POST /v1/detection/rules/:id/test': { path: `${rulePath}/test`, body: { events: [encoded], explain: true }, status: 200 },
  'PUT /v1/detection/rules/:id': { path: rulePath, body: { title: 'Encoded commands' }, status: 200 },
  'POST /v1/detection/rules': { body: { definition: anySshLogin }, status: 201 },
  'DELETE /v1/detection/rules/:id': { path: `/v1/detection/rules/${createdRuleId}`, status: 204 },
  'POST /v1/detection/rules/:id/exceptions': {
    path: `${rulePath}/exceptions`, roles: ['analyst'], status: 201,
    body: { detection: { here: { User: 'bob' }, condition: 'not here' }, reason: 'known', expires_at: '2026-11-21T10:00:00Z' },
  },
  'POST /v1/detection/rules/:id/exceptions/preview': {
    path: `${rulePath}/exceptions/preview`, roles: ['analyst'], status: 200,
    body: { detection: { here: { User: 'bob' }, condition: 'not here' } },
  },
  'POST /v1/detection/rules/bulk': { body: { ids: [sampleRuleId], set: { enabled: true } }, status: 200 },
  'POST /v1/detection/rules/:id/reset': { path: `${rulePath}/reset`, status: 200 },
  'GET /v1/detection/rules/:id/versions': { path: `${rulePath}/versions`, status: 200 },
  'GET /v1/detection/rules/:id/versions/:version': { path: `${rulePath}/versions/1`, status: 200 },
  'POST /v1/detection/rules/:id/versions/:version/restore': { path: `${rulePath}/versions/1/restore`, status: 200 },
  'POST /v1/detection/backtests': {
    body: {
      rule_ids: [sampleRuleId], from: '2026-11-13T10:00:00Z', to: '2026-11-20T10:00:00Z', compare: true,
      exceptions: [{ detection: { here: { Computer: 'build-1' }, condition: 'not here' } }],
    },
    status: 202,
  },
  'GET /v1/detection/backtests/:id': { path: '/v1/detection/backtests/known-1', status: 200 },
  'DELETE /v1/detection/backtests/:id': { path: '/v1/detection/backtests/known-2', status: 204 },
  'POST /v1/detection/rules/:id/backtest': { path: `${rulePath}/backtest`, body: {}, status: 200 },
}

/** The sample of a route, made now: its ids and tokens are of this moment. */
export async function makeSample(world: SampleWorld, { method, path }: { readonly method: string; readonly path: string }): Promise<Sample> {
  const made = samples[`${method} ${path}`] ?? { status: 200 }
  return typeof made === 'function' ? await made(world) : made
}
