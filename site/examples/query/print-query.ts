import { parseQuery, printQuery } from '@tripline/query'

console.log(printQuery(parseQuery('a b or "c d"')))
