/** Why a login at an identity provider failed, each with what the audit trail and a test login say of it. */
const signOnProblems = {
  not_available: 'no identity provider is set up for this organization',
  not_started: 'this login was not started in this browser, or was finished before',
  expired: 'the login took longer than ten minutes',
  cancelled: 'the identity provider says that the login was cancelled',
  provider_refused: 'the identity provider refused the login',
  provider_unreachable: 'the identity provider could not be reached',
  provider_unusable: 'the identity provider answered in a way that cannot be used',
  untrusted: 'what the identity provider stated could not be verified',
  no_role: 'no entry of the role mapping fits the user',
  user_disabled: 'the user is disabled',
  users_full: 'the tenant has reached its limit of users',
  limited: 'too many logins from this address; try again in a minute',
} as const
type SignOnProblem = keyof typeof signOnProblems

/** A login at an identity provider failed. `message` says it to an admin, with the particulars; a login page shows the problem alone. */
export class SignOnError extends Error {
  readonly problem: SignOnProblem
  readonly particulars: string | undefined

  constructor(problem: SignOnProblem, particulars?: string) {
    super(particulars === undefined ? signOnProblems[problem] : `${signOnProblems[problem]}: ${particulars}`)
    this.name = 'SignOnError'
    this.problem = problem
    this.particulars = particulars
  }
}
