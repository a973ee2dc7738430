import type { AdminDataDir } from '@tripline/server/admin'
import { defineAdminCommand } from './admin-command.ts'
import type { Command } from './command.ts'
import { omitUndefined } from './omit-undefined.ts'

const tenantOperand = { usage: '<id>', help: "The tenant's id." } as const

/** Commands that make, list and switch tenants. */
export const tenantCommands: readonly Command[] = [
  defineAdminCommand({
    name: 'tenant create',
    summary: 'Makes a tenant, with its first admin where one is named.',
    operand: tenantOperand,
    creates: true,
    options: {
      name: { kind: 'text', value: '<text>', help: 'What people call it; its id where nothing is said.' },
      plan: { kind: 'choice', choices: ['free', 'mdr', 'pro', 'custom'], help: 'What it may use.' },
      'admin-email': { kind: 'text', value: '<address>', help: 'Who administers it first.' },
      'admin-name': { kind: 'text', value: '<text>', help: 'The name of that admin; the address where nothing is said.' },
    },
    notes: ['The password of a new admin is shown this once; the first login with it names another.'],
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
      `tenant '${id}' is made`, ...(password === null ? [] : [`the first login of its admin takes the password ${password}`]),
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
    summary: 'Switches a tenant off: within five seconds nobody of it is let in.' }),
  defineActivationCommand({ verb: 'enable', isActive: true, summary: 'Switches a tenant on.' }),
]

type ActivationCommand = { readonly verb: string; readonly isActive: boolean; readonly summary: string }

function defineActivationCommand({ verb, isActive, summary }: ActivationCommand): Command {
  return defineAdminCommand({
    name: `tenant ${verb}`,
    summary,
    operand: tenantOperand,
    options: {},
    run: (installation, { operand }) => setTenantActive(installation, operand, isActive),
    lines: ({ id }) => [`tenant '${id}' is ${isActive ? 'on' : 'off'}`],
  })
}

async function setTenantActive(installation: AdminDataDir, id: string, isActive: boolean) {
  const { changeTenant, commandLinePrincipal, printTenant } = await import('@tripline/server/admin')
  const change = { patch: { isActive }, versions: undefined }
  return printTenant(await changeTenant(installation, commandLinePrincipal(id), id, change))
}
