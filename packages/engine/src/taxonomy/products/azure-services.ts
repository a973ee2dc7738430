import type { Logsource } from '../../event/event.ts'

/** Categories of the activity log of a subscription, as exported to storage or an event hub. */
export const azureActivityCategories = [
  'Administrative', 'Alert', 'Autoscale', 'Policy', 'Recommendation', 'ResourceHealth', 'Security', 'ServiceHealth',
] as const

/** Categories of the directory logs in the same export -> service. */
export const azureDirectoryServices: ReadonlyMap<string, readonly Logsource[]> = services([
  ['AuditLogs', 'auditlogs'],
  ['SignInLogs', 'signinlogs'],
  ['NonInteractiveUserSignInLogs', 'signinlogs'],
  ['ServicePrincipalSignInLogs', 'signinlogs'],
  ['ManagedIdentitySignInLogs', 'signinlogs'],
  ['UserRiskEvents', 'riskdetection'],
  ['ServicePrincipalRiskEvents', 'riskdetection'],
])

/** Tables of Log Analytics, from the field `Type` of a row -> service. */
export const azureTableServices: ReadonlyMap<string, readonly Logsource[]> = services([
  ['AzureActivity', 'activitylogs'],
  ['AuditLogs', 'auditlogs'],
  ['SigninLogs', 'signinlogs'],
  ['AADNonInteractiveUserSignInLogs', 'signinlogs'],
  ['AADServicePrincipalSignInLogs', 'signinlogs'],
  ['AADManagedIdentitySignInLogs', 'signinlogs'],
  ['AADUserRiskEvents', 'riskdetection'],
])

function services(rows: readonly (readonly [value: string, service: string])[]): Map<string, readonly Logsource[]> {
  return new Map(rows.map(([value, service]) => [value, [{ product: 'azure', service }]]))
}
