import type { Catalogue } from '../message.ts'
import { koAlerts } from './alerts.ts'
import { koCommon } from './common.ts'
import { koHealth } from './health.ts'
import { koLogin } from './login.ts'
import { koPipeline } from './pipeline.ts'

/** All texts in Korean. */
export const ko: Catalogue = { ...koCommon, ...koLogin, ...koAlerts, ...koPipeline, ...koHealth }
