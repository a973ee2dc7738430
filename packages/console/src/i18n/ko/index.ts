import type { Catalogue } from '../message.ts'
import { koAlerts } from './alerts.ts'
import { koAssets } from './assets.ts'
import { koAudit } from './settings/audit.ts'
import { koAutomation } from './settings/automation.ts'
import { koChannels } from './settings/channels.ts'
import { koCommon } from './common.ts'
import { koCompliance } from './compliance.ts'
import { koConnectors } from './connectors.ts'
import { koDashboard } from './dashboard.ts'
import { koData } from './settings/data.ts'
import { koHealth } from './health.ts'
import { koIncidents } from './incidents.ts'
import { koLogin } from './login.ts'
import { koPalette } from './palette.ts'
import { koPipeline } from './pipeline.ts'
import { koPlayground } from './playground.ts'
import { koPortal } from './portal.ts'
import { koProvisioning } from './settings/provisioning.ts'
import { koReports } from './reports.ts'
import { koRule } from './rule.ts'
import { koRulePipelines } from './settings/rule-pipelines.ts'
import { koRules } from './rules.ts'
import { koSearch } from './search.ts'
import { koSettings } from './settings.ts'
import { koTools } from './tools.ts'
import { koWorkbench } from './workbench.ts'

/** All texts in Korean. */
export const ko: Catalogue = {
  ...koCommon, ...koLogin, ...koDashboard, ...koAlerts, ...koIncidents, ...koSearch, ...koRules, ...koPlayground,
  ...koPipeline, ...koHealth, ...koRule, ...koWorkbench, ...koAssets, ...koConnectors, ...koPortal, ...koSettings, ...koCompliance,
  ...koReports, ...koChannels, ...koProvisioning, ...koRulePipelines, ...koAudit, ...koPalette,
  ...koData, ...koAutomation, ...koTools,
}

export { koTactics } from './tactics.ts'
