import { parseJson } from '@tripline/engine'

console.log(parseJson('{"bytes": 9007199254740993}'))
