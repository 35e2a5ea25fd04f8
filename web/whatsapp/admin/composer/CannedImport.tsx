import * as api from '@qatra/contract/whatsapp/inbox/canned-replies'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useT } from '../../../lib/language/i18n.tsx'
import { refusalText } from '../../../lib/refusal.ts'
import { sendFile } from '../../../lib/send-file.ts'
import { ImportCount, ImportSteps } from '../../../ui/admin/import/ImportSteps.tsx'
import { useFileImport } from '../../../ui/admin/import/use-file-import.ts'
import { Button } from '../../../ui/Button.tsx'
import { Dialog } from '../../../ui/Dialog.tsx'
import { TextArea } from '../../../ui/Field.tsx'
import { cannedQuery } from '../inbox/inbox-cache.ts'

const nothing: api.CannedImportResult = {
  created: 0,
  updated: 0,
  unchanged: 0,
  rows: 0,
  columns: [],
  failed: [],
  failedRows: 0,
}
const isColumn = (field: string): field is api.CannedColumn => api.cannedColumns.some((column) => column === field)

/** Pasted lines as a file: short name, Arabic and English, between the delimiter of the first line. */
function fileOf(lines: string): File {
  const delimiter = ['\t', '|', ';', ','].find((each) => lines.split('\n', 1)[0]?.includes(each)) ?? '\t'
  return new File([`${api.cannedColumns.slice(0, 3).join(delimiter)}\n${lines}`], 'lines.csv')
}

/** Replies of a file or of pasted lines: checked first, saved after a yes. */
export function CannedImport({ onClose }: { onClose(): void }) {
  const t = useT()
  const queries = useQueryClient()
  const [lines, setLines] = useState('')
  const importing = useFileImport({
    send: (sending) => sendFile(api.importCannedReplies, sending),
    vendorId: null,
    bytes: api.CANNED_FILE_BYTES,
    nothing,
    problemOf: (error) => refusalText(t, error, 'inbox', 'import'),
    onWritten: () => queries.invalidateQueries({ queryKey: cannedQuery().queryKey }),
  })
  const { created, updated, unchanged, failedRows } = importing.found
  return (
    <Dialog
      open
      title={t('inbox.canned.import')}
      className="admin max-w-150"
      safe={{ label: t('inbox.canned.back'), onChoose: onClose }}
    >
      <div className="mt-2 grid max-h-[62dvh] gap-4 overflow-y-auto p-0.5 text-ink">
        <ImportSteps
          importing={importing}
          choose={{
            label: t('inbox.canned.import.file'),
            hint: t('inbox.canned.import.hint'),
            accept: '.xlsx,.csv',
            below: (
              <>
                <TextArea
                  label={t('inbox.canned.import.lines')}
                  hint={t('inbox.canned.import.lines.hint')}
                  dir="auto"
                  rows={4}
                  value={lines}
                  onChange={(event) => setLines(event.target.value)}
                />
                <div>
                  <Button
                    size="small"
                    reason={lines.trim() === '' ? t('inbox.canned.import.lines.none') : null}
                    onClick={() => void importing.check(fileOf(lines))}
                  >
                    {t('inbox.canned.import.check')}
                  </Button>
                </div>
              </>
            ),
          }}
          words={{
            writing: t('inbox.canned.import.writing'),
            write: t('inbox.canned.import.go', { count: created + updated }),
            done: t('inbox.canned.import.done', { count: created + updated }),
            doneAll: t('inbox.canned.import.doneAll'),
          }}
          counts={
            <>
              <ImportCount isGood={created > 0}>{t('inbox.canned.import.created', { count: created })}</ImportCount>
              {updated > 0 && <ImportCount isGood>{t('inbox.canned.import.updated', { count: updated })}</ImportCount>}
              {unchanged > 0 && <ImportCount>{t('inbox.canned.import.unchanged', { count: unchanged })}</ImportCount>}
            </>
          }
          changes={created + updated}
          bad={failedRows}
          link={null}
          fields={api.cannedColumns}
          required={['shortcut']}
          nameOf={(field) => (isColumn(field) ? t(`inbox.canned.${field}`) : null)}
        />
      </div>
    </Dialog>
  )
}
