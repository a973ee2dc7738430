import type { Catalogue } from '../message.ts'
import { koAlerts } from './alerts.ts'
import { koCommon } from './common.ts'
import { koDashboard } from './dashboard.ts'
import { koHealth } from './health.ts'
import { koIncidents } from './incidents.ts'
import { koLogin } from './login.ts'
import { koPipeline } from './pipeline.ts'
import { koRules } from './rules.ts'
import { koSearch } from './search.ts'

/** All texts in Korean. */
export const ko: Catalogue = {
  ...koCommon, ...koLogin, ...koDashboard, ...koAlerts, ...koIncidents, ...koSearch, ...koRules, ...koPipeline, ...koHealth,
}
