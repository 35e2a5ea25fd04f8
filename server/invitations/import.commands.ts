import type { Parsed } from '@qatra/contract/endpoint'
import { customerName, fold, withoutInvisible } from '@qatra/contract/lib/text'
import { INVITATIONS_A_DAY } from '@qatra/contract/users/invitations'
import {
  type importPeople as importing,
  PEOPLE_ROWS,
  type StaffColumn,
  type StaffImportResult,
} from '@qatra/contract/users/people-import'
import type { Role } from '@qatra/contract/users/roles'
import { choicesInGift, isVendorRole } from '@qatra/contract/users/users'
import { type Phones, readPhonesCell } from '../customers/import/phone-cell.ts'
import { type Ctx, userOf } from '../database/context.ts'
import type { App } from '../http/runtime.ts'
import { type Columns, checked } from '../import/columns.ts'
import { type ImportKind, runImport } from '../import/import.ts'
import type { RowFailure } from '../import/problem.ts'
import { reporter } from '../import/rows.ts'
import { AppError } from '../lib/errors.ts'
import { translatorFor } from '../lib/translate.ts'
import { createPerson } from '../users/admin.commands.ts'
import { vendorInReach } from '../vendors/policy.ts'
import { invite } from './commands.ts'
import { countMade, listKnownPhones } from './queries.ts'

const roleWords: Readonly<Record<Exclude<Role, 'customer' | 'super_admin'>, string>> = {
  driver: 'driver, delivery, delivery driver, سائق, السائق, سواق, مندوب, مندوب توصيل, موصل',
  vendor_sales: 'sales, sales agent, salesman, مبيعات, موظف مبيعات, موظف المبيعات, مندوب مبيعات',
  vendor_staff: 'staff, office, clerk, dispatcher, vendor staff, موظف, مكتب, موظف مكتب, موظف المكتب, مشرف',
  vendor_admin: 'manager, admin, vendor admin, مدير, مدير الشركة, مدير العلامة',
}
const roleOf = new Map(
  Object.entries(roleWords).flatMap(([role, words]) =>
    [role, ...words.split(',')].map((word) => [fold(word), role as keyof typeof roleWords] as const),
  ),
)
const roleIn = (text: string) => roleOf.get(fold(text)) ?? null

const phoneInText = /[+(]?\p{Nd}[\p{Nd}\s()./-]{6,22}\p{Nd}/u
/** Between the values of a line. */
const trimmed = (text: string) => text.replace(/^[\s,،;؛:|/()–-]+|(?<![\s,،;؛:|/()–-])[\s,،;؛:|/()–-]+$/gu, '')

/** Name, phone and role of a line in any order: `يوسف علي 3600 1234 سائق`, `Driver - Ali, 36001234`. */
export function personCells(written: string): string[] {
  const line = withoutInvisible(written)
  const phone = phoneInText.exec(line.slice(0, 500))?.[0] ?? ''
  const rest = phone === '' ? [line] : line.split(phone)
  const words = trimmed(rest.map(trimmed).join(' ')).split(/\s+/)
  // The longest role at one of the ends.
  for (const count of [2, 1]) {
    if (words.length <= count) continue
    for (const at of [words.length - count, 0]) {
      const role = words
        .slice(at, at + count)
        .map(trimmed)
        .join(' ')
      if (roleIn(role)) return [trimmed(words.toSpliced(at, count).join(' ')), phone.trim(), role]
    }
  }
  return [words.join(' '), phone.trim(), '']
}

interface StaffCells {
  phone: Phones
  name: string
  role: keyof typeof roleWords
}

const columns: Columns<StaffCells> = {
  phone: {
    headings: [
      'phone number, mobile, mobile number, telephone, tel, contact, contact number, whatsapp',
      'الهاتف, رقم الهاتف, الجوال, رقم الجوال, الموبايل, النقال, التلفون, رقم التلفون, واتساب',
    ],
    isRequired: true,
    looksLike: (cell) => 'phone' in readPhonesCell(cell),
    read(cell, refuse) {
      const read = readPhonesCell(cell)
      return 'phone' in read ? read : refuse(read.problem)
    },
  },
  name: {
    headings: [
      'full name, person, employee, employee name, driver name',
      'الاسم, الاسم الكامل, اسم الموظف, الموظف, اسم السائق',
    ],
    isRequired: true,
    looksLike: (cell) => !/\p{Nd}/u.test(cell) && /\p{L}{2}/u.test(cell) && roleIn(cell) === null,
    read: (cell, refuse) => checked(customerName(1), cell, refuse),
  },
  role: {
    headings: ['job, job title, position, title', 'الدور, الوظيفة, المسمى الوظيفي, العمل'],
    looksLike: (cell) => roleIn(cell) !== null,
    read: (cell, refuse) => roleIn(cell) ?? refuse('staffFile.role'),
  },
}

const staffFile: ImportKind<StaffCells, Pick<StaffImportResult, 'created'>> = {
  scope: 'staffFile',
  columns,
  isFormula: (cell) => /^ *[=@\t\r]/.test(cell),
  lines: { split: personCells, mapping: { name: [0], phone: [1], role: [2] } },
  maxRows: PEOPLE_ROWS,
  mostListed: PEOPLE_ROWS,
  budgetMs: 5_000,
  nameOf: (problem) => problem,
  nothing: { created: 0 },
}

interface NewPerson {
  row: number
  phone: string
  name: string
  role: keyof typeof roleWords
}

/**
 * Creates the accounts, or the invitations of a vendor's admin. A person without a role is a driver.
 * @throws BULK_REFUSED with the problems by row and field
 */
export function importPeople(
  ctx: Ctx,
  { pool }: Pick<App, 'pool'>,
  { query: { vendorId: wanted, ...mode }, body: file }: Pick<Parsed<typeof importing>, 'query' | 'body'>,
  { isLimited }: { isLimited: boolean },
): Promise<StaffImportResult> {
  const vendorId = vendorInReach(ctx.actor, wanted || null)
  const isSuper = userOf(ctx).role === 'super_admin'
  const gift = choicesInGift(userOf(ctx)).map(({ role }) => role)
  const words = translatorFor(ctx.actor.lang)
  return runImport(ctx, { pool }, staffFile, {
    file,
    mode,
    vendorId: vendorId ?? 0,
    async check(rows) {
      const people: NewPerson[] = []
      const firstRows = new Map<string, number>()
      for await (const { row, values, refuse, refused } of rows) {
        const { phone: phones, name, role = 'driver' } = values
        if (phones === undefined) refuse('phone', 'validation.required')
        if (name === undefined) refuse('name', 'validation.required')
        if (role && !gift.includes(role)) refuse('role', 'staffFile.notYours')
        if (role && isVendorRole(role) && vendorId === null) refuse('role', 'staffFile.noVendor')
        const phone = phones?.phone ?? ''
        const first = firstRows.get(phone)
        if (phone !== '' && first !== undefined) refuse('phone', 'staffFile.repeated', { row: first })
        if (phone !== '') firstRows.set(phone, first ?? row)
        if (refused.size === 0 && name && role) people.push({ row, phone, name, role })
      }
      return async (inside) => {
        const failed: RowFailure[] = []
        const refuser = (person: NewPerson, list: RowFailure[]) =>
          reporter<StaffColumn>(list, { row: person.row, values: { phone: person.phone } }, words)
        const phones = people.map(({ phone }) => phone)
        const known = await listKnownPhones(inside, phones, vendorId)
        const left =
          isSuper || !isLimited || vendorId === null
            ? Number.POSITIVE_INFINITY
            : INVITATIONS_A_DAY - (await countMade(inside, vendorId))
        const added: NewPerson[] = []
        for (const person of people) {
          const refuse = refuser(person, failed)
          const state = known.get(person.phone)
          if (state) refuse('phone', `staffFile.${state}`)
          else if (added.length >= left) refuse('row', 'staffFile.manyToday', { maximum: INVITATIONS_A_DAY })
          else added.push(person)
        }
        return {
          failed,
          counts: { created: added.length },
          async write(writing) {
            const lost: RowFailure[] = []
            for (const person of added) {
              const { phone, name, role } = person
              const body = { phone, name, role, preset: null, vendorId }
              try {
                if (isSuper) await createPerson(writing, body)
                else await invite(writing, body, { isLimited })
              } catch (error) {
                if (!(error instanceof AppError)) throw error
                if (error.code === 'PHONE_TAKEN') refuser(person, lost)('phone', 'staffFile.taken')
                else if (error.code === 'INVITATION_OPEN') refuser(person, lost)('phone', 'staffFile.invited')
                else throw error
              }
            }
            return { counts: { created: added.length - lost.length }, lost }
          },
        }
      }
    },
  })
}
