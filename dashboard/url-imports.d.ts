// `import path from 'url:./canvas.css'`: the address of a file that is built alone (build.mjs).

declare module 'url:*' {
  const path: string;
  export default path;
}
