/** A form with one file in it, as a browser sends it. */
export function fileForm(name: string, contents: string | Buffer, { field = 'file', type = 'text/csv' } = {}) {
  const boundary = '----qatra7d1c'
  const head = `--${boundary}\r\nContent-Disposition: form-data; name="${field}"; filename="${name}"\r\nContent-Type: ${type}\r\n\r\n`
  const raw = Buffer.concat([Buffer.from(head), Buffer.from(contents), Buffer.from(`\r\n--${boundary}--\r\n`)])
  return { raw, headers: { 'content-type': `multipart/form-data; boundary=${boundary}` } }
}
