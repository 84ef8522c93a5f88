// Operators of this installation. Only `upvane operator` changes who is one, with the role upvane_engine; the API, which
// uses upvane_people, can only read it.
import { type Db, sql } from '../core/db.ts'
import { hasSecondFactor } from './membership-rules.ts'

const ADD = sql`
  insert into operators (user_id) values ($1) on conflict (user_id) do nothing returning user_id`
const REMOVE = sql`delete from operators where user_id = $1 returning user_id`

/** Uses the upvane_engine role. False if they are an operator already. */
export async function insertOperator(engine: Db, userUuid: string): Promise<boolean> {
  return (await engine.query(ADD, [userUuid])).length > 0
}

/** Uses the upvane_engine role. False if they are no operator. */
export async function deleteOperator(engine: Db, userUuid: string): Promise<boolean> {
  return (await engine.query(REMOVE, [userUuid])).length > 0
}

const LIST = sql`
  select u.id as uuid, u.email, u.name, ${hasSecondFactor} as "secondFactor",
         u.disabled_at as "disabledAt", o.added_at as "addedAt"
    from operators o join users u on u.id = o.user_id
   order by u.email limit $1`

type Operator = {
  uuid: string
  email: string
  name: string
  secondFactor: boolean
  disabledAt: Date | null
  addedAt: Date
}

export function listOperators(people: Db, most: number): Promise<Operator[]> {
  return people.query<Operator>(LIST, [most])
}

const IS_OPERATOR = sql`
  select exists (select from operators where user_id = $1) as "isOperator"`

export async function isOperator(people: Db, userUuid: string): Promise<boolean> {
  const [row] = await people.query<{ isOperator: boolean }>(IS_OPERATOR, [userUuid])
  return row?.isOperator === true
}

const STANDING = sql`
  select exists (select from operators o where o.user_id = u.id) as "isOperator",
         ${hasSecondFactor} as "hasSecondFactor", now() as now
    from users u where u.id = $1`

/** `now` is the database's clock, which also wrote when the session began. */
type OperatorStanding = { isOperator: boolean; hasSecondFactor: boolean; now: Date }

export async function findOperatorStanding(
  people: Db,
  userUuid: string,
): Promise<OperatorStanding | undefined> {
  const [row] = await people.query<OperatorStanding>(STANDING, [userUuid])
  return row
}
