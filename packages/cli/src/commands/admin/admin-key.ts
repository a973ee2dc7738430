import { omitUndefined } from '@tripline/common/omit-undefined'
import type { Command } from '../../framework/command.ts'
import { defineAdminCommand, tenantOption } from './admin-command.ts'
import { checkTenant } from './admin-user.ts'

const keyOperand = { usage: '<id>', help: "The key's id, as 'admin key list' prints it." } as const

/** Commands that create, list and revoke API keys. */
export const keyCommands: readonly Command[] = [
  defineAdminCommand({
    name: 'key create',
    summary: 'Creates an API key.',
    options: {
      ...tenantOption,
      name: { kind: 'text', value: '<text>', required: true, help: 'What the key is for.' },
      scope: { kind: 'choice', choices: ['read-only', 'read-write'], default: 'read-only', help: 'Sending events needs read-write.' },
      expires: {
        kind: 'text', value: '<time>', help: 'When the key expires: an RFC 3339 time, or never. Default: in a year.',
      },
      'allowed-cidrs': {
        kind: 'list', value: '<cidr>...',
        help: 'Networks that the key may be used from, such as 192.0.2.0/24. Default: any.',
      },
    },
    notes: ['Tripline shows the key only this once.'],
    async run(installation, { options }) {
      const { checkBody, commandLinePrincipal, newApiKeyBodySchema, ...server } = await import('@tripline/server/admin')
      await checkTenant(installation, options.tenant)
      const expires_at = options.expires === 'never' ? null : options.expires
      const said = omitUndefined({ name: options.name, scope: options.scope, expires_at, allowed_cidrs: options['allowed-cidrs'] })
      const { name, allowed_cidrs: allowedCidrs, expires_at: end, scope } = checkBody(said, newApiKeyBodySchema)
      const { key, text } = await server.issueApiKey(installation, commandLinePrincipal(options.tenant), {
        name, allowedCidrs, scope: scope === 'read-write' ? 'read_write' : 'read_only',
        expiresAt: end === null ? 'never' : end === undefined ? undefined : Date.parse(end),
      })
      return { ...server.printApiKeyBody(key, installation.clock.now()), key: text }
    },
    lines: ({ key }) => [key],
  }),
  defineAdminCommand({
    name: 'key list',
    reads: true,
    summary: 'Lists the API keys of a tenant, without their secrets.',
    options: tenantOption,
    async run(installation, { options }) {
      const { listApiKeys, printApiKeyBody } = await import('@tripline/server/admin')
      await checkTenant(installation, options.tenant)
      const keys = await listApiKeys(installation, options.tenant)
      return { api_keys: keys.map((key) => printApiKeyBody(key, installation.clock.now())) }
    },
    lines: ({ api_keys: keys }) => keys.map(({ id, scope, status, name }) => `${id}  ${status}  ${scope}  ${name}`),
  }),
  defineAdminCommand({
    name: 'key revoke',
    summary: 'Revokes an API key; it stops working with the next request.',
    operand: keyOperand,
    options: tenantOption,
    async run(installation, { options, operand }) {
      const { commandLinePrincipal, revokeApiKey } = await import('@tripline/server/admin')
      await checkTenant(installation, options.tenant)
      await revokeApiKey(installation, commandLinePrincipal(options.tenant), operand)
      return { id: operand }
    },
    lines: ({ id }) => [`revoked API key '${id}'`],
  }),
]
