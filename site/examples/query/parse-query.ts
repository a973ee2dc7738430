import { parseQuery, printQuery } from '@tripline/query'

const query = parseQuery('user:(alice or bob) bytes:>5')
console.log(printQuery(query))
