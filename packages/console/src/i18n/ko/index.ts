import type { Catalogue } from '../message.ts'
import { koAlerts } from './alerts.ts'
import { koCommon } from './common.ts'
import { koLogin } from './login.ts'

/** All texts in Korean. */
export const ko: Catalogue = { ...koCommon, ...koLogin, ...koAlerts }
