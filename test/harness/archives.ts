import { crc32, deflateRawSync } from 'node:zlib';
import { type Header, pack } from 'tar-stream';

export type TarEntry = [header: Partial<Header> & { name: string }, data?: string | Buffer];

/** Packs a tar like a correct packer. */
export async function makeTar(entries: readonly TarEntry[]): Promise<Buffer> {
  const tar = pack();
  for (const [header, data] of entries) tar.entry(header, data ?? '');
  tar.finalize();
  const chunks: Buffer[] = [];
  for await (const chunk of tar) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

export interface RawTarEntry {
  name: string | Buffer;
  data?: string | Buffer;
  /** The type flag; `0` is a file. */
  type?: string;
  /** The size in the header; that of the data by default. */
  size?: number | Buffer;
  link?: string;
  checksum?: string;
}

/** Builds a tar byte by byte, which may be invalid. */
export function makeRawTar(entries: readonly RawTarEntry[], end = 1024): Buffer {
  const blocks = entries.flatMap(({ name, data = '', type = '0', size, link = '', checksum }) => {
    const body = Buffer.from(data);
    const header = Buffer.alloc(512);
    Buffer.from(name).copy(header, 0, 0, 100);
    header.write('0000644\0', 100);
    header.write('0000000\0', 108);
    header.write('0000000\0', 116);
    if (Buffer.isBuffer(size)) size.copy(header, 124);
    else header.write(`${(size ?? body.length).toString(8).padStart(11, '0')}\0`, 124);
    header.write('00000000000\0', 136);
    header.write('        ', 148);
    header.write(type, 156);
    header.write(link, 157);
    header.write('ustar\u000000', 257);
    const sum = header.reduce((total, byte) => total + byte, 0);
    header.write(checksum ?? `${sum.toString(8).padStart(6, '0')}\0 `, 148);
    return [header, body, Buffer.alloc((512 - (body.length % 512)) % 512)];
  });
  return Buffer.concat([...blocks, Buffer.alloc(end)]);
}

/** Returns the record of a pax header, which begins with its own length. */
export function paxRecord(key: string, value: string): string {
  const rest = ` ${key}=${value}\n`;
  let length = Buffer.byteLength(rest) + 1;
  while (Buffer.byteLength(`${length}${rest}`) !== length) length++;
  return `${length}${rest}`;
}

export interface ZipEntry {
  name: string | Buffer;
  data?: string | Buffer;
  /** 0 stored, 8 deflated. */
  method?: number;
  /** The Unix mode, type included. */
  mode?: number;
  flags?: number;
  crc?: number;
  /** The unpacked size in the directory. */
  size?: number;
  packed?: Buffer;
  extra?: Buffer;
}

/** Builds a zip byte by byte. */
export function makeZip(entries: readonly ZipEntry[]): Buffer {
  const locals: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const { name, data = '', method = 8, mode = 0, flags = 0x800, crc, size, packed, extra } of entries) {
    const raw = Buffer.from(name);
    const body = Buffer.from(data);
    const stored = packed ?? (method === 8 ? deflateRawSync(body) : body);
    const fields = Buffer.alloc(26);
    fields.writeUInt16LE(20, 0);
    fields.writeUInt16LE(flags, 2);
    fields.writeUInt16LE(method, 4);
    fields.writeUInt32LE(crc ?? crc32(body), 10);
    fields.writeUInt32LE(stored.length, 14);
    fields.writeUInt32LE(size ?? body.length, 18);
    fields.writeUInt16LE(raw.length, 22);
    locals.push(Buffer.from('PK\u0003\u0004'), fields, raw, stored);
    const tail = Buffer.alloc(14);
    tail.writeUInt32LE((mode << 16) >>> 0, 6);
    tail.writeUInt32LE(offset, 10);
    const central = Buffer.from(fields);
    central.writeUInt16LE(extra?.length ?? 0, 24);
    directory.push(Buffer.from('PK\u0001\u0002'), Buffer.from([20, 3]), central, tail, raw, extra ?? Buffer.alloc(0));
    offset += 4 + fields.length + raw.length + stored.length;
  }
  const central = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.write('PK\u0005\u0006');
  end.writeUInt16LE(entries.length, 8);
  end.writeUInt16LE(entries.length, 10);
  end.writeUInt32LE(central.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...locals, central, end]);
}
