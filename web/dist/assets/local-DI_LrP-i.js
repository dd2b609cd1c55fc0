async function o(){throw new Error("not here yet")}export{o as local};
