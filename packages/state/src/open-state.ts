import type { Kysely } from 'kysely'
import { checkNotNewer, checkSchema, migrate } from './migrations/migrate.ts'
import { migrations } from './migrations/migrations.ts'
import { repairTextIndex } from './migrations/repair-text-index.ts'
import { startRowChecksums } from './sqlite/query/row-checksums.ts'
import type { StateStore, Stores } from './ports/state-store.ts'
import { accountStore } from './sqlite/access/accounts.ts'
import { alertList } from './sqlite/lists/alert-list.ts'
import { apiKeyStore } from './sqlite/access/api-keys.ts'
import { rulePipelineStore } from './sqlite/rule-pipelines.ts'
import { ruleVersionStore } from './sqlite/rules.ts'
import { backtestStore } from './sqlite/backtests.ts'
import { bulkChangeStore } from './sqlite/alerts/bulk-changes.ts'
import { viewStore } from './sqlite/views.ts'
import { assetList } from './sqlite/lists/asset-list.ts'
import { exposureStore } from './sqlite/assets/exposures.ts'
import { findingStore } from './sqlite/findings/findings.ts'
import { findingList } from './sqlite/lists/finding-list.ts'
import { assetStore } from './sqlite/assets/assets.ts'
import { auditList, openAuditList } from './sqlite/lists/audit-list.ts'
import { auditStore } from './sqlite/audit.ts'
import { checkpointStore } from './sqlite/checkpoints.ts'
import { directoryUserList } from './sqlite/lists/directory-user-list.ts'
import { directoryUserStore } from './sqlite/enrichment/directory-users.ts'
import { dataSubjectRequestList } from './sqlite/lists/data-subject-request-list.ts'
import type { RewritableFile } from './sqlite/compliance/erase-texts.ts'
import { erasureStore } from './sqlite/compliance/erasures.ts'
import { dataSubjectRequestStore } from './sqlite/compliance/data-subject-requests.ts'
import { subdomainList } from './sqlite/lists/subdomain-list.ts'
import { subdomainStore } from './sqlite/enrichment/subdomains.ts'
import { idempotencyKeyStore } from './sqlite/idempotency-keys.ts'
import { incidentList, incidentTimelineList } from './sqlite/lists/incident-list.ts'
import { indicatorList } from './sqlite/lists/indicator-list.ts'
import { complianceStore } from './sqlite/compliance/compliance.ts'
import { reportScheduleStore } from './sqlite/compliance/report-schedules.ts'
import { reportStore } from './sqlite/compliance/reports.ts'
import { preferenceStore } from './sqlite/preferences.ts'
import { indicatorStore } from './sqlite/enrichment/indicators.ts'
import { jobStore } from './sqlite/jobs.ts'
import { matchList } from './sqlite/lists/match-list.ts'
import { checkWritable, metricStore } from './sqlite/metrics.ts'
import { playbookRunList } from './sqlite/lists/playbook-run-list.ts'
import { playbookStore } from './sqlite/playbooks.ts'
import { createPublishingStores } from './sqlite/publish-changes.ts'
import type { OnPublished } from './sqlite/publish-changes.ts'
import { inTransaction, openDatabase, vacuum } from './sqlite/query/database.ts'
import type { DatabaseOptions } from './sqlite/query/database.ts'
import type { SqlList } from './sqlite/lists/list-page.ts'
import { createTenantList, ListScans } from './sqlite/lists/list-scans.ts'
import type { Tables } from './sqlite/rows/tables.ts'
import { provisioningStore } from './sqlite/access/provisioning.ts'
import { signOnStore } from './sqlite/access/sign-on.ts'
import { sessionStore } from './sqlite/access/sessions.ts'
import { tenantStore } from './sqlite/access/tenants.ts'
import { userStore } from './sqlite/access/users.ts'
import { channelMessageList } from './sqlite/lists/channel-message-list.ts'
import { mergeLists } from './sqlite/lists/merge-lists.ts'
import { channelNotifications, readNotificationKey, webhookNotifications } from './sqlite/lists/notification-list.ts'
import { deliveryList, webhookList } from './sqlite/lists/webhook-list.ts'
import { channelMessageStore } from './sqlite/channels/messages.ts'
import { channelRouteStore } from './sqlite/channels/routes.ts'
import { channelStore } from './sqlite/channels/channels.ts'
import { webhookDeliveryStore } from './sqlite/webhooks/deliveries.ts'
import { webhookStore } from './sqlite/webhooks/webhooks.ts'

export type StateOptions = Omit<DatabaseOptions, 'isReadOnly'> & {
  /** How it is used: to change it, to read it in the current schema, or to inspect it in this schema or an older one. */
  readonly use?: 'change' | 'read' | 'inspect'
  /**
   * The key of audit seals; it is kept apart from the database, so that write access to one does not give the other.
   */
  readonly auditKey: Uint8Array
}

/**
 * Opens the server's state and migrates its database; a database that is opened for reading is not written to.
 *
 * @throws Error, besides those of `migrate`, for a database to read that does not exist or has another schema.
 */
export async function openState({ auditKey, use = 'change', ...options }: StateOptions): Promise<StateStore> {
  const database = openDatabase({ ...options, isReadOnly: use !== 'change' })
  const { db } = database
  try {
    if (use === 'change') {
      await migrate(database, migrations)
      await startRowChecksums(db)
      await repairTextIndex(db)
    }
    if (use === 'read') await checkSchema(database, migrations)
    if (use === 'inspect') await checkNotNewer(database, migrations)
  } catch (error) {
    await db.destroy()
    throw error
  }
  const listeners = new Set<OnPublished>()
  const onPublished: OnPublished = (tenant, lastSeq) => listeners.forEach((listener) => listener(tenant, lastSeq))
  // `vacuum` numbers rows anew, which the index of texts refers to.
  const rewrite = async (): Promise<void> => {
    await vacuum(db)
    await repairTextIndex(db)
  }
  const terms = { auditKey, scans: new ListScans(database.openReader), file: { ...database.file, rewrite } }
  return {
    ...createStores(db, { ...terms, onPublished }),
    async transaction(work) {
      const published = new Map<string, number>()
      const collect: OnPublished = (tenant, lastSeq) => void published.set(tenant, lastSeq)
      const result = await inTransaction(db, (db) => work(createStores(db, { ...terms, onPublished: collect })))
      for (const [tenant, lastSeq] of published) onPublished(tenant, lastSeq)
      return result
    },
    watchDomainEvents(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    jobs: jobStore(db),
    checkWritable: () => checkWritable(db),
    getDamagedRows: () => database.damagedRows.counts,
    close: async () => {
      await terms.scans.closeAll()
      await db.destroy()
    },
  }
}

type StoreTerms = {
  readonly file: RewritableFile
  readonly auditKey: Uint8Array
  readonly scans: ListScans
  readonly onPublished: OnPublished
}

function createStores(db: Kysely<Tables>, { auditKey, scans, onPublished, file }: StoreTerms): Stores {
  const publishing = createPublishingStores(db, onPublished)
  const listOf = <Row extends object, Entry>(list: SqlList<Row, Entry>) => createTenantList(db, scans, list)
  return {
    ...publishing,
    tenants: tenantStore(db, auditKey),
    accounts: accountStore(db),
    users: userStore(db),
    apiKeys: apiKeyStore(db),
    bulkChanges: bulkChangeStore(db),
    ruleVersions: ruleVersionStore(db),
    views: viewStore(db),
    preferences: preferenceStore(db),
    compliance: complianceStore(db),
    backtests: backtestStore(db),
    rulePipelines: rulePipelineStore(db),
    reports: reportStore(db),
    reportSchedules: reportScheduleStore(db),
    sessions: sessionStore(db),
    signOn: signOnStore(db),
    provisioning: provisioningStore(db),
    alerts: { ...publishing.alerts, ...listOf(alertList) },
    matches: listOf(matchList),
    incidents: { ...publishing.incidents, ...listOf(incidentList) },
    incidentTimeline: listOf(incidentTimelineList),
    audit: { ...auditStore(db, auditKey), ...openAuditList(db, auditKey, listOf(auditList)) },
    idempotencyKeys: idempotencyKeyStore(db),
    checkpoints: checkpointStore(db),
    metrics: metricStore(db),
    playbooks: playbookStore(db),
    playbookRuns: listOf(playbookRunList),
    assets: { ...assetStore(db), ...listOf(assetList) },
    findings: { ...findingStore(db), ...listOf(findingList) },
    exposures: exposureStore(db),
    directoryUsers: { ...directoryUserStore(db), ...listOf(directoryUserList) },
    indicators: { ...indicatorStore(db), ...listOf(indicatorList) },
    subdomains: { ...subdomainStore(db), ...listOf(subdomainList) },
    dataSubjectRequests: { ...dataSubjectRequestStore(db), ...listOf(dataSubjectRequestList) },
    erasures: erasureStore(db, file, auditKey),
    webhooks: { ...webhookStore(db), ...listOf(webhookList) },
    webhookDeliveries: { ...webhookDeliveryStore(db), ...listOf(deliveryList) },
    channels: channelStore(db),
    channelRoutes: channelRouteStore(db),
    notifications: mergeLists(listOf(webhookNotifications), listOf(channelNotifications), readNotificationKey),
    channelMessages: { ...channelMessageStore(db), ...listOf(channelMessageList) },
  }
}
