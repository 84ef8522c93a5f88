import pg from 'pg'

const UNIQUE_VIOLATION = '23505'

export function isUniqueViolation(error: unknown): error is pg.DatabaseError {
  return error instanceof pg.DatabaseError && error.code === UNIQUE_VIOLATION
}
