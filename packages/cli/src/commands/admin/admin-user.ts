import { ExitError, exitCodes } from '@tripline/common/exit-error'
import type { AdminDataDir } from '@tripline/server/admin'
import type { Command } from '../../framework/command.ts'
import { defineAdminCommand, tenantOption } from './admin-command.ts'

const userOperand = { usage: '<address>', help: "The user's e-mail address." } as const

/** Commands that create, list, disable, enable, reset and remove users. */
export const userCommands: readonly Command[] = [
  defineAdminCommand({
    name: 'user create',
    summary: 'Adds a user to a tenant.',
    operand: userOperand,
    options: {
      ...tenantOption,
      name: { kind: 'text', value: '<text>', help: 'The name of the user. Default: the address.' },
      role: { kind: 'list', value: '<role>...', required: true, help: 'Roles: viewer, analyst, engineer, admin, auditor or operator.' },
    },
    notes: [
      'Tripline shows the temporary password only this once. The first login with it sets another. A user who already has an '
        + 'account keeps the password.',
    ],
    async run(installation, { options, operand }) {
      const { checkBody, commandLinePrincipal, createUser, newUserBodySchema, printUser } = await import('@tripline/server/admin')
      await checkTenant(installation, options.tenant)
      const newUser = checkBody({ email: operand, name: options.name ?? operand, roles: options.role }, newUserBodySchema)
      const { user, oneTimePassword = null } = await createUser(installation, commandLinePrincipal(options.tenant), newUser)
      return { ...printUser(user), one_time_password: oneTimePassword }
    },
    lines: ({ email, one_time_password: password }) => [
      `added user '${email}'`, ...(password === null ? [] : [`temporary password: ${password}`]),
    ],
  }),
  defineAdminCommand({
    name: 'user list',
    reads: true,
    summary: 'Lists the users of a tenant.',
    options: tenantOption,
    async run(installation, { options }) {
      const { listUsers, printUser } = await import('@tripline/server/admin')
      await checkTenant(installation, options.tenant)
      return { users: (await listUsers(installation, options.tenant)).map(printUser) }
    },
    lines: ({ users }) => users.map(({ email, roles, name, is_active: isActive }) => {
      return `${email}  ${isActive ? 'active' : 'off'}  ${roles.join(', ')}  ${name}`
    }),
  }),
  defineActivationCommand({ verb: 'disable', isActive: false, summary: 'Disables a user; the sessions end within five seconds.' }),
  defineActivationCommand({ verb: 'enable', isActive: true, summary: 'Enables a user.' }),
  defineAdminCommand({
    name: 'user remove',
    summary: 'Removes a user and ends all sessions.',
    operand: userOperand,
    options: tenantOption,
    async run(installation, { options: { tenant }, operand }) {
      const { commandLinePrincipal, removeUser } = await import('@tripline/server/admin')
      const { id, email } = await findUserByEmail(installation, { tenant, email: operand })
      await removeUser(installation, commandLinePrincipal(tenant), id)
      return { id, email }
    },
    lines: ({ email }) => [`removed user '${email}'`],
  }),
  defineAdminCommand({
    name: 'user reset-password',
    summary: 'Sets a temporary password for a user and ends all sessions.',
    operand: userOperand,
    options: tenantOption,
    async run(installation, { options: { tenant }, operand }) {
      const { commandLinePrincipal, resetPassword } = await import('@tripline/server/admin')
      const { id } = await findUserByEmail(installation, { tenant, email: operand })
      return { one_time_password: await resetPassword(installation, commandLinePrincipal(tenant), id) }
    },
    lines: ({ one_time_password: password }) => [`temporary password: ${password}`],
  }),
  defineAdminCommand({
    name: 'user remove-second-factor',
    summary: 'Removes the second factor of a user who lost it.',
    operand: userOperand,
    options: tenantOption,
    notes: ['Where the tenant requires a second factor, the user adds another at the next login before anything else is open.'],
    async run(installation, { options: { tenant }, operand }) {
      const { commandLinePrincipal, removeSecondFactor } = await import('@tripline/server/admin')
      const { id, email } = await findUserByEmail(installation, { tenant, email: operand })
      await removeSecondFactor(installation, commandLinePrincipal(tenant), id)
      return { id, email }
    },
    lines: ({ email }) => [`removed the second factor of '${email}'`],
  }),
]

type ActivationCommand = { readonly verb: string; readonly isActive: boolean; readonly summary: string }

function defineActivationCommand({ verb, isActive, summary }: ActivationCommand): Command {
  return defineAdminCommand({
    name: `user ${verb}`,
    summary,
    operand: userOperand,
    options: tenantOption,
    async run(installation, { options: { tenant }, operand }) {
      const { changeUser, commandLinePrincipal, printUser } = await import('@tripline/server/admin')
      const { id } = await findUserByEmail(installation, { tenant, email: operand })
      const change = { patch: { isActive }, versions: undefined }
      return printUser(await changeUser(installation, commandLinePrincipal(tenant), id, change))
    },
    lines: ({ email }) => [`user '${email}' is ${isActive ? 'enabled' : 'disabled'}`],
  })
}

/** @throws ExitError (1) for a tenant that is not there; a store would find it empty. */
export async function checkTenant({ state }: AdminDataDir, tenant: string): Promise<void> {
  if (await state.tenants.get(tenant) === undefined) throw new ExitError(exitCodes.refused, `there is no tenant '${tenant}'`)
}

/** @throws ExitError (1) for a tenant or a user who is not there. */
async function findUserByEmail(installation: AdminDataDir, { tenant, email }: { readonly tenant: string; readonly email: string }) {
  await checkTenant(installation, tenant)
  const user = await installation.state.users.findByEmail(tenant, email)
  if (user === undefined) throw new ExitError(exitCodes.refused, `tenant '${tenant}' has no user '${email}'`)
  return user
}
