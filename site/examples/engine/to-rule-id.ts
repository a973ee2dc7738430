import { toRuleId } from '@tripline/engine'

console.log(toRuleId('1A3C5E7F-1B2D-4C6E-8F90-A1B2C3D4E5F6'))
