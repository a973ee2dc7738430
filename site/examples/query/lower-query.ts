import { exactName, lowerQuery, parseQuery } from '@tripline/query'

console.log(JSON.stringify(lowerQuery(parseQuery('user_name:alice'), { resolveNames: exactName })))
