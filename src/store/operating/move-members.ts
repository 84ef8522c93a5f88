// Rows of people in the file of a move. Nobody becomes a member because a file says so: without the operator's word, members
// are only noted, so that they can be invited, and what belongs to their membership is left out.
import type { MovedPerson, MovedRow } from '../../domain/operating/organization-move.ts'
import { MoveInError } from './move-in-error.ts'

// How every table names a contact.
const CONTACT = 'contact_id'

export type NotedMember = MovedPerson & { role: string }

export class MovedMembers {
  readonly #people: ReadonlyMap<string, MovedPerson>
  readonly #isKept: boolean
  readonly #ownContacts = new Set<unknown>()
  readonly noted: NotedMember[] = []
  invitations = 0

  /** By their ids in the rows to come. */
  constructor(people: ReadonlyMap<string, MovedPerson>, isKept: boolean) {
    this.#people = people
    this.#isKept = isKept
  }

  get ownContacts(): number {
    return this.#ownContacts.size
  }

  /** Those to write. */
  filter(table: string, rows: readonly MovedRow[]): readonly MovedRow[] {
    if (table === 'members') return rows.filter((row) => this.#takeMember(row))
    if (this.#isKept) return rows
    if (table === 'invitations') return rows.filter((row) => this.#dropInvitation(row))
    if (table === 'alert_contacts') return rows.filter((row) => this.#isShared(row))
    if (this.#ownContacts.size === 0) return rows
    return rows.filter(({ json }) => !this.#isOfOwnContact(json))
  }

  /** Most rows are history, and need not be parsed. */
  #isOfOwnContact(json: string): boolean {
    return json.includes(CONTACT) && this.#ownContacts.has(fields(json)[CONTACT])
  }

  #takeMember({ json }: MovedRow): boolean {
    const { user_id: userId, role } = fields(json)
    const person = typeof userId === 'string' ? this.#people.get(userId) : undefined
    if (person === undefined)
      throw new MoveInError('A member of the file is not among the people of its manifest.')
    if (!this.#isKept) this.noted.push({ ...person, role: String(role) })
    return this.#isKept
  }

  /** Who has the file may know the links. */
  #dropInvitation({ json }: MovedRow): boolean {
    if (fields(json)['accepted_at'] === null) this.invitations += 1
    return false
  }

  #isShared({ json }: MovedRow): boolean {
    const { id, owner_id: ownerId } = fields(json)
    if (ownerId === null || ownerId === undefined) return true
    this.#ownContacts.add(id)
    return false
  }
}

function fields(json: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(json)
    return typeof value === 'object' && value !== null ? { ...value } : {}
  } catch {
    throw new MoveInError('A row of the file is not valid.')
  }
}
