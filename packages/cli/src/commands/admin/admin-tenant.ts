import { omitUndefined } from '@tripline/common/omit-undefined'
import type { AdminDataDir } from '@tripline/server/admin'
import type { Command } from '../../framework/command.ts'
import { defineAdminCommand } from './admin-command.ts'

const tenantOperand = { usage: '<id>', help: "The tenant's id." } as const

/** Commands that create, list, disable and enable tenants. */
export const tenantCommands: readonly Command[] = [
  defineAdminCommand({
    name: 'tenant create',
    summary: 'Creates a tenant, with its first admin if you name one.',
    operand: tenantOperand,
    creates: true,
    options: {
      name: { kind: 'text', value: '<text>', help: 'Its display name. Default: its id.' },
      plan: { kind: 'choice', choices: ['free', 'mdr', 'pro', 'custom'], help: 'Its plan.' },
      'admin-email': { kind: 'text', value: '<address>', help: 'The e-mail address of its first admin.' },
      'admin-name': { kind: 'text', value: '<text>', help: 'The name of that admin. Default: the address.' },
    },
    notes: ['Tripline shows the temporary password of a new admin only this once. The first login with it sets another.'],
    async run(installation, { options, operand }) {
      const { checkBody, commandLinePrincipal, newTenantBodySchema, ...server } = await import('@tripline/server/admin')
      const email = options['admin-email']
      const admin = email === undefined ? undefined : { email, name: options['admin-name'] ?? email }
      const body = omitUndefined({ id: operand, name: options.name ?? operand, plan: options.plan, admin })
      const order = checkBody(body, newTenantBodySchema)
      const { tenant, oneTimePassword = null } = await server.createTenant(installation, commandLinePrincipal(order.id), order)
      return { ...server.printTenant(tenant), one_time_password: oneTimePassword }
    },
    lines: ({ id, one_time_password: password }) => [
      `created tenant '${id}'`, ...(password === null ? [] : [`temporary password of its admin: ${password}`]),
    ],
  }),
  defineAdminCommand({
    name: 'tenant list',
    reads: true,
    summary: 'Lists the tenants.',
    options: {},
    async run(installation) {
      const { listTenants, printTenant } = await import('@tripline/server/admin')
      return { tenants: (await listTenants(installation)).map(printTenant) }
    },
    lines: ({ tenants }) => tenants.map(({ id, name, plan, is_active: isActive }) => {
      return `${id}  ${isActive ? 'active' : 'off'}  ${plan}  ${name}`
    }),
  }),
  defineActivationCommand({ verb: 'disable', isActive: false,
    summary: 'Disables a tenant; its sessions and keys stop within five seconds.' }),
  defineActivationCommand({ verb: 'enable', isActive: true, summary: 'Enables a tenant.' }),
]

type ActivationCommand = { readonly verb: string; readonly isActive: boolean; readonly summary: string }

function defineActivationCommand({ verb, isActive, summary }: ActivationCommand): Command {
  return defineAdminCommand({
    name: `tenant ${verb}`,
    summary,
    operand: tenantOperand,
    options: {},
    run: (installation, { operand }) => setTenantActive(installation, operand, isActive),
    lines: ({ id }) => [`tenant '${id}' is ${isActive ? 'enabled' : 'disabled'}`],
  })
}

async function setTenantActive(installation: AdminDataDir, id: string, isActive: boolean) {
  const { changeTenant, commandLinePrincipal, printTenant } = await import('@tripline/server/admin')
  const change = { patch: { isActive }, versions: undefined }
  return printTenant(await changeTenant(installation, commandLinePrincipal(id), id, change))
}
