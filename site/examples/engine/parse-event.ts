import { parseEvent } from '@tripline/engine'

console.log(parseEvent('{"user":"alice"}'))
console.log(parseEvent('[1]'))
