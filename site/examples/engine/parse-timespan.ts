import { parseTimespan } from '@tripline/engine'

console.log(parseTimespan('90m'), parseTimespan('soon'))
