// A moving picture from pictures: APNG is a PNG with more frames, and their compressed data can be taken as they are.

const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

function crc32(bytes) {
  let crc = 0xffffffff;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; ++bit) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
  }
  return (crc ^ 0xffffffff) >>> 0;
}

/** [type, data] of a PNG. */
function chunks(png) {
  const found = [];
  for (let at = signature.length; at < png.length; ) {
    const length = png.readUInt32BE(at);
    found.push([png.toString("latin1", at + 4, at + 8), png.subarray(at + 8, at + 8 + length)]);
    at += length + 12;
  }
  return found;
}

function chunk(type, data) {
  const body = Buffer.concat([Buffer.from(type, "latin1"), data]);
  const frame = Buffer.alloc(8 + body.length);
  frame.writeUInt32BE(data.length, 0);
  body.copy(frame, 4);
  frame.writeUInt32BE(crc32(body), 4 + body.length);
  return frame;
}

const numbers = (...values) => {
  const bytes = Buffer.alloc(4 * values.length);
  values.forEach((value, i) => bytes.writeUInt32BE(value, 4 * i));
  return bytes;
};

/** PNGs of one size and kind, shown for `seconds` each, for ever. */
export function animate(pngs, seconds) {
  const head = chunks(pngs[0])[0][1];
  const parts = [signature, chunk("IHDR", head), chunk("acTL", numbers(pngs.length, 0))];
  const delay = Buffer.alloc(6); // numerator, denominator [s]; the frame replaces what was there
  delay.writeUInt16BE(Math.round(1000 * seconds), 0);
  delay.writeUInt16BE(1000, 2);
  let sequence = 0;
  pngs.forEach((png, k) => {
    const all = chunks(png);
    if (!all[0][1].equals(head)) throw new Error(`frame ${k} is of another size or kind`);
    parts.push(chunk("fcTL", Buffer.concat([numbers(sequence++, head.readUInt32BE(0), head.readUInt32BE(4), 0, 0), delay])));
    const data = Buffer.concat(all.filter(([type]) => type === "IDAT").map(([, bytes]) => bytes));
    parts.push(k === 0 ? chunk("IDAT", data) : chunk("fdAT", Buffer.concat([numbers(sequence++), data])));
  });
  parts.push(chunk("IEND", Buffer.alloc(0)));
  return Buffer.concat(parts);
}
