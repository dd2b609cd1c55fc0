throw new Error("this puzzle is not part of the page");
