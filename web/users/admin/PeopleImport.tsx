import { listAdminInvitations } from '@qatra/contract/users/invitations'
import {
  importPeople,
  PEOPLE_BYTES,
  type StaffColumn,
  type StaffImportResult,
  staffColumns,
} from '@qatra/contract/users/people-import'
import { roles } from '@qatra/contract/users/roles'
import { listUsers } from '@qatra/contract/users/users'
import { useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useUser } from '../../lib/current-user.ts'
import { useT } from '../../lib/language/i18n.tsx'
import { refusalText } from '../../lib/refusal.ts'
import { sendFile } from '../../lib/send-file.ts'
import { SelectField } from '../../ui/admin/form/fields.tsx'
import { ImportCount, ImportSteps } from '../../ui/admin/import/ImportSteps.tsx'
import { PasteField } from '../../ui/admin/import/PasteField.tsx'
import { useFileImport } from '../../ui/admin/import/use-file-import.ts'
import { buttonClass } from '../../ui/Button.tsx'
import { useVendorNames } from './person-cache.ts'

const nothing: StaffImportResult = { created: 0, rows: 0, columns: [], failed: [], failedRows: 0 }
const isColumn = (field: string): field is StaffColumn => staffColumns.some((column) => column === field)

/** The steps of adding several people, from pasted lines or a file. */
export function PeopleImport({ onWritten }: { onWritten?: () => Promise<unknown> }) {
  const t = useT()
  const queries = useQueryClient()
  const isSuper = useUser()?.role === 'super_admin'
  const { options: vendors, only } = useVendorNames()
  const [chosen, setChosen] = useState<number | null>(null)
  const importing = useFileImport({
    send: (sending) => sendFile(importPeople, sending),
    // The server knows the vendor of its own people.
    vendorId: isSuper ? (chosen ?? only) : null,
    bytes: PEOPLE_BYTES,
    nothing,
    problemOf: (error) => refusalText(t, error, 'users.import', 'import'),
    onWritten: () =>
      Promise.all([
        ...[listUsers, listAdminInvitations].map(({ path }) => queries.invalidateQueries({ queryKey: [path] })),
        onWritten?.(),
      ]),
  })
  const { created, failedRows } = importing.found
  return (
    <ImportSteps
      importing={importing}
      choose={{
        label: t('users.import.file'),
        hint: t('users.import.fileHint'),
        accept: '.xlsx,.csv,.tsv,.txt',
        above: (
          <>
            {isSuper && only === null && (
              <SelectField
                label={t('admin.vendor')}
                value={chosen}
                onChange={(id) => setChosen(id)}
                options={vendors}
                placeholder={t('admin.form.choose')}
              />
            )}
            <PasteField
              label={t('users.import.paste')}
              hint={t('users.import.pasteHint')}
              placeholder={t('users.import.example')}
              submit={t('users.import.check')}
              dir="auto"
              nameOf={() => 'pasted.txt'}
              onText={(file) => void importing.check(file)}
            />
          </>
        ),
      }}
      words={{
        writing: t('users.import.writing'),
        write: t(isSuper ? 'users.import.go' : 'users.import.invite', { count: created }),
        done: t(isSuper ? 'users.import.done' : 'users.import.invited', { count: created }),
        doneAll: t('users.import.doneAll'),
      }}
      counts={<ImportCount isGood={created > 0}>{t('users.import.good', { count: created })}</ImportCount>}
      changes={created}
      bad={failedRows}
      link={
        <Link to="/admin/users" className={buttonClass('aqua')}>
          {t('users.title')}
        </Link>
      }
      fields={staffColumns}
      required={['phone', 'name']}
      nameOf={(field) => (isColumn(field) ? t(`users.${field}`) : null)}
      show={(field, value) => {
        const role = roles.find((each) => field === 'role' && each === value)
        return role ? t(`admin.role.${role}`) : null
      }}
    />
  )
}
