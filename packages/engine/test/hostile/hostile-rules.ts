import { hostileConditions } from './hostile-conditions.ts'
import { hostileItems } from './hostile-items.ts'
import type { HostileRule } from './hostile-rule.ts'
import { hostileYaml } from './hostile-yaml.ts'

export const hostileRules: readonly HostileRule[] = [...hostileYaml, ...hostileConditions, ...hostileItems]
