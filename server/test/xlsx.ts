import { crc32, deflateRawSync } from 'node:zlib'

interface Part {
  name: string
  text: string
  /** Size in the headers, if it is not the real one. */
  declared?: number
}

/** A zip archive of these parts. */
export function zipOf(parts: readonly Part[]): Buffer {
  const bodies: Buffer[] = []
  const directory: Buffer[] = []
  let offset = 0
  for (const { name, text, declared } of parts) {
    const bytes = Buffer.from(text)
    const packed = deflateRawSync(bytes)
    const fields = Buffer.alloc(26)
    fields.writeUInt16LE(20, 0)
    fields.writeUInt16LE(8, 4)
    fields.writeUInt32LE(crc32(bytes), 10)
    fields.writeUInt32LE(packed.length, 14)
    fields.writeUInt32LE(declared ?? bytes.length, 18)
    fields.writeUInt16LE(Buffer.byteLength(name), 22)
    const local = Buffer.concat([Buffer.from('PK\u0003\u0004'), fields, Buffer.from(name), packed])
    const place = Buffer.alloc(14)
    place.writeUInt32LE(offset, 10)
    directory.push(
      Buffer.concat([Buffer.from('PK\u0001\u0002'), Buffer.from([20, 0]), fields, place, Buffer.from(name)]),
    )
    bodies.push(local)
    offset += local.length
  }
  const list = Buffer.concat(directory)
  const end = Buffer.alloc(18)
  end.writeUInt16LE(parts.length, 4)
  end.writeUInt16LE(parts.length, 6)
  end.writeUInt32LE(list.length, 8)
  end.writeUInt32LE(offset, 12)
  return Buffer.concat([...bodies, list, Buffer.from('PK\u0005\u0006'), end])
}

const head = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const relationships = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'

const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

/** A text is a shared string, a number a number; `{ xml }` is written as it is. */
export type XlsxCell = string | number | { xml: string } | null

interface XlsxOptions {
  /** Parts that replace or join those of the workbook. */
  parts?: readonly Part[]
  /** Before the first row. */
  before?: string
}

/** A workbook with one visible sheet behind a hidden one. */
export function xlsxOf(rows: readonly (readonly XlsxCell[])[], { parts = [], before = '' }: XlsxOptions = {}): Buffer {
  const strings: string[] = []
  const cellOf = (cell: XlsxCell, reference: string) => {
    if (cell === null) return ''
    if (typeof cell === 'object')
      return cell.xml.startsWith('<c r=') ? cell.xml : cell.xml.replace('<c', `<c r="${reference}"`)
    if (typeof cell === 'number') return `<c r="${reference}"><v>${cell}</v></c>`
    return `<c r="${reference}" t="s"><v>${strings.push(cell) - 1}</v></c>`
  }
  const letter = (column: number) => String.fromCharCode(65 + column)
  const sheet = rows
    .map((cells, y) => [y + 1, cells.map((cell, x) => cellOf(cell, `${letter(x)}${y + 1}`)).join('')] as const)
    .filter(([, cells]) => cells !== '')
    .map(([row, cells]) => `<row r="${row}">${cells}</row>`)
  const own: Part[] = [
    {
      name: 'xl/workbook.xml',
      text: `${head}<workbook xmlns="${main}" xmlns:r="${relationships}"><sheets><sheet name="Old" sheetId="1" state="hidden" r:id="rId1"/><sheet name="Customers" sheetId="2" r:id="rId2"/></sheets></workbook>`,
    },
    {
      name: 'xl/_rels/workbook.xml.rels',
      text: `${head}<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="${relationships}/worksheet" Target="worksheets/sheet1.xml"/><Relationship Id="rId2" Type="${relationships}/worksheet" Target="/xl/worksheets/sheet2.xml"/><Relationship Id="rId3" Type="${relationships}/sharedStrings" Target="sharedStrings.xml"/></Relationships>`,
    },
    { name: 'xl/worksheets/sheet1.xml', text: `${head}<worksheet xmlns="${main}"><sheetData/></worksheet>` },
    {
      name: 'xl/worksheets/sheet2.xml',
      text: `${head}${before}<worksheet xmlns="${main}"><sheetData>${sheet.join('')}</sheetData></worksheet>`,
    },
    {
      name: 'xl/sharedStrings.xml',
      text: `${head}<sst xmlns="${main}">${strings.map((text) => `<si><t xml:space="preserve">${escaped(text)}</t></si>`).join('')}</sst>`,
    },
  ]
  const replaced = new Set(parts.map(({ name }) => name))
  return zipOf([...own.filter(({ name }) => !replaced.has(name)), ...parts])
}
