import { QueryError, parseQuery } from '@tripline/query'

try {
  parseQuery('bytes:[1 TO')
} catch (error) {
  if (error instanceof QueryError) console.log(error.code, error.line, error.column)
}
