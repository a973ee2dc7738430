import { tenantsAndUsers } from './first-release/0001-tenants-and-users.ts'
import { rules } from './first-release/0002-rules.ts'
import { alerts } from './first-release/0003-alerts.ts'
import { audit } from './first-release/0004-audit.ts'
import { requests } from './first-release/0005-requests.ts'
import { checkpoints } from './first-release/0006-checkpoints.ts'
import { metrics } from './first-release/0007-metrics.ts'
import { connectors } from './first-release/0008-connectors.ts'
import { enrichment } from './first-release/0009-enrichment.ts'
import { oneTimePasswords } from './first-release/0010-one-time-passwords.ts'
import { reviews } from './0012-0026/0012-reviews.ts'
import { alertIndexes } from './0012-0026/0013-alert-indexes.ts'
import { eventReferences } from './0012-0026/0014-event-references.ts'
import { externalUsers } from './0012-0026/0015-external-users.ts'
import { savedViews } from './0012-0026/0016-saved-views.ts'
import { rowChecksums } from './0012-0026/0017-row-checksums.ts'
import { domainEvents } from './0012-0026/0018-domain-events.ts'
import { jobs } from './0012-0026/0019-jobs.ts'
import { incidents } from './0012-0026/0020-incidents.ts'
import { keyLimits } from './0012-0026/0021-key-limits.ts'
import { alertProducts } from './0012-0026/0022-alert-products.ts'
import { webhooks } from './0012-0026/0023-webhooks.ts'
import { workOfUsers } from './0012-0026/0024-work-of-users.ts'
import { playbooks } from './0012-0026/0025-playbooks.ts'
import { ruleVersions } from './0012-0026/0026-rule-versions.ts'
import { collectors } from './0027-0035/0027-collectors.ts'
import { ruleVersionAuthors } from './0043-0054/0043-rule-version-authors.ts'
import { answeredAlerts } from './0043-0054/0050-answered-alerts.ts'
import { compliance } from './0027-0035/0035-compliance.ts'
import { assetIdentities } from './0027-0035/0030-asset-identities.ts'
import { alertsByFoldedHost } from './0027-0035/0031-alerts-by-folded-host.ts'
import { findings } from './0027-0035/0032-findings.ts'
import { subdomainsAndRequests } from './0043-0054/0051-subdomains-and-requests.ts'
import { reports } from './0043-0054/0052-reports.ts'
import { alertLists } from './0043-0054/0053-alert-lists.ts'
import { editedVersions } from './0043-0054/0054-edited-versions.ts'
import { shortTexts } from './0060-0095/0060-short-texts.ts'
import { exposures } from './0060-0095/0071-exposures.ts'
import { channels } from './0060-0095/0073-channels.ts'
import { signOn } from './0060-0095/0076-sign-on.ts'
import { erasures } from './0060-0095/0079-erasures.ts'
import { reportSchedules } from './0060-0095/0085-report-schedules.ts'
import { provisioning } from './0060-0095/0090-provisioning.ts'
import { sealedAuditTexts } from './0060-0095/0095-sealed-audit-texts.ts'
import { saml } from './0105-saml.ts'
import { reportBranding } from './0106-report-branding.ts'
import { backtests } from './0107-backtests.ts'
import { keptDefinitions } from './0108-kept-definitions.ts'
import { endedIndicators } from './0109-ended-indicators.ts'
import { rulePipelines } from './0110-rule-pipelines.ts'
import { findingsOfAssets } from './0111-findings-of-assets.ts'
import { judgedAlerts } from './0112-judged-alerts.ts'
import { assetRisks } from './0116-asset-risks.ts'
import { backtestExceptions } from './0117-backtest-exceptions.ts'
import { eventTimes } from './0118-event-times.ts'
import { alertsOfEvents } from './0119-alerts-of-events.ts'
import { sessionClients } from './0120-session-clients.ts'
import { alertMembers } from './0121-alert-members.ts'
import { entityEventTimes } from './0122-entity-event-times.ts'
import { alertsByFoldedUser } from './0123-alerts-by-folded-user.ts'
import type { Migrations } from './migrate.ts'

/** All migrations by their file names, which are the schema versions. Append new ones. */
export const migrations: Migrations = {
  '0001-tenants-and-users': tenantsAndUsers,
  '0002-rules': rules,
  '0003-alerts': alerts,
  '0004-audit': audit,
  '0005-requests': requests,
  '0006-checkpoints': checkpoints,
  '0007-metrics': metrics,
  '0008-connectors': connectors,
  '0009-enrichment': enrichment,
  '0010-one-time-passwords': oneTimePasswords,
  '0012-reviews': reviews,
  '0013-alert-indexes': alertIndexes,
  '0014-event-references': eventReferences,
  '0015-external-users': externalUsers,
  '0016-saved-views': savedViews,
  '0017-row-checksums': rowChecksums,
  '0018-domain-events': domainEvents,
  '0019-jobs': jobs,
  '0020-incidents': incidents,
  '0021-key-limits': keyLimits,
  '0022-alert-products': alertProducts,
  '0023-webhooks': webhooks,
  '0024-work-of-users': workOfUsers,
  '0025-playbooks': playbooks,
  '0026-rule-versions': ruleVersions,
  '0027-collectors': collectors,
  '0030-asset-identities': assetIdentities,
  '0031-alerts-by-folded-host': alertsByFoldedHost,
  '0032-findings': findings,
  '0035-compliance': compliance,
  '0043-rule-version-authors': ruleVersionAuthors,
  '0050-answered-alerts': answeredAlerts,
  '0051-subdomains-and-requests': subdomainsAndRequests,
  '0052-reports': reports,
  '0053-alert-lists': alertLists,
  '0054-edited-versions': editedVersions,
  '0060-short-texts': shortTexts,
  '0071-exposures': exposures,
  '0073-channels': channels,
  '0076-sign-on': signOn,
  '0079-erasures': erasures,
  '0085-report-schedules': reportSchedules,
  '0090-provisioning': provisioning,
  '0095-sealed-audit-texts': sealedAuditTexts,
  '0105-saml': saml,
  '0106-report-branding': reportBranding,
  '0107-backtests': backtests,
  '0108-kept-definitions': keptDefinitions,
  '0109-ended-indicators': endedIndicators,
  '0110-rule-pipelines': rulePipelines,
  '0111-findings-of-assets': findingsOfAssets,
  '0112-judged-alerts': judgedAlerts,
  '0116-asset-risks': assetRisks,
  '0117-backtest-exceptions': backtestExceptions,
  '0118-event-times': eventTimes,
  '0119-alerts-of-events': alertsOfEvents,
  '0120-session-clients': sessionClients,
  '0121-alert-members': alertMembers,
  '0122-entity-event-times': entityEventTimes,
  '0123-alerts-by-folded-user': alertsByFoldedUser,
}
